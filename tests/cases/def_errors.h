/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines that are refused by their grammar alone: CASE(line, reason, errno).
 * '^' stands before the character to blame and is no part of the line; a line
 * of reason NONE has none. N10 is ten characters of a name.
 */
#define N10 "abcdefghij"
#define N60 N10 N10 N10 N10 N10 N10

/* Not ours: no reason is logged. */
CASE("x vfs_read", NONE, EINVAL)
CASE("x vfs_read", NONE, EINVAL)
CASE("P vfs_read", NONE, EINVAL)
CASE("p", NONE, EINVAL)
CASE("r", NONE, EINVAL)
CASE("p:foo", NONE, EINVAL)
CASE("p /bin/sh:0x100", NONE, EINVAL)
CASE("p:foo /bin/sh:0x100 %x0", NONE, EINVAL)

/* maxactive */
CASE("p^100 vfs_read", BAD_MAXACT_TYPE, EINVAL)
CASE("p^100:foo vfs_read", BAD_MAXACT_TYPE, EINVAL)
CASE("p^1 vfs_read%return", BAD_MAXACT_TYPE, EINVAL)
CASE("r^1a111 vfs_read", BAD_MAXACT, EINVAL)
CASE("r^0 vfs_read", BAD_MAXACT, EINVAL)
CASE("r^0x vfs_read", BAD_MAXACT, EINVAL)
CASE("r^09:foo vfs_read", BAD_MAXACT, EINVAL)
CASE("r^4294967296 vfs_read", BAD_MAXACT, EINVAL)
CASE("r^0000000000000000000000000000000000000000000000000000000000000001 f",
     BAD_MAXACT, EINVAL)
CASE("r^100000 vfs_read", MAXACT_TOO_BIG, EINVAL)
CASE("r^4097 vfs_read", MAXACT_TOO_BIG, EINVAL)

/* place */
CASE("p vfs_read^%hoge", BAD_ADDR_SUFFIX, EINVAL)
CASE("p vfs_read^%return1", BAD_ADDR_SUFFIX, EINVAL)
CASE("p vfs_read^%", BAD_ADDR_SUFFIX, EINVAL)
CASE("r vfs_read+4^%ret", BAD_ADDR_SUFFIX, EINVAL)
CASE("p vfs_read+4^%return+4", BAD_ADDR_SUFFIX, EINVAL)
CASE("p ^vfs_read-4", BAD_PROBE_ADDR, EINVAL)
CASE("p ^hoge-fuga", BAD_PROBE_ADDR, EINVAL)
CASE("p ^hoge+1000-1000", BAD_PROBE_ADDR, EINVAL)
CASE("p ^vfs_read+", BAD_PROBE_ADDR, EINVAL)
CASE("p ^vfs_read+4x", BAD_PROBE_ADDR, EINVAL)
CASE("p ^vfs_read+08", BAD_PROBE_ADDR, EINVAL)
CASE("p ^vfs_read+4294967296", BAD_PROBE_ADDR, EINVAL)
CASE("p ^vfs_read+0x8000000000000000", BAD_PROBE_ADDR, EINVAL)
CASE("p ^%return", BAD_PROBE_ADDR, EINVAL)
CASE("p ^+4x", BAD_PROBE_ADDR, EINVAL)
CASE("p ^-4", BAD_PROBE_ADDR, EINVAL)
CASE("p ^mod:", BAD_PROBE_ADDR, EINVAL)
CASE("p ^:sym", BAD_PROBE_ADDR, EINVAL)

/* names */
CASE("p:^/bar vfs_read", NO_GROUP_NAME, EINVAL)
CASE("p:^.bar vfs_read", NO_GROUP_NAME, EINVAL)
CASE("r10:^/bar vfs_read", NO_GROUP_NAME, EINVAL)
CASE("p:^" N60 "abcd/bar vfs_read", GROUP_TOO_LONG, EINVAL)
CASE("p:^" N60 "ab.d/bar vfs_read", GROUP_TOO_LONG, EINVAL)
CASE("p:^foo.1/bar vfs_read", BAD_GROUP_NAME, EINVAL)
CASE("p:^1foo/bar vfs_read", BAD_GROUP_NAME, EINVAL)
CASE("p:^fo%o/bar vfs_read", BAD_GROUP_NAME, EINVAL)
CASE("p:^1foo/ vfs_read", BAD_GROUP_NAME, EINVAL)
CASE("p:^ vfs_read", NO_EVENT_NAME, EINVAL)
CASE("r5:^ vfs_read", NO_EVENT_NAME, EINVAL)
CASE("p:foo/^" N60 "abcd vfs_read", EVENT_TOO_LONG, EINVAL)
CASE("p:^" N60 "abcd vfs_read", EVENT_TOO_LONG, EINVAL)
CASE("p:foo/^bar.1 vfs_read", BAD_EVENT_NAME, EINVAL)
CASE("p:foo/^b-r vfs_read", BAD_EVENT_NAME, EINVAL)
CASE("p:foo.^b.r vfs_read", BAD_EVENT_NAME, EINVAL)
CASE("p:^b-r vfs_read", BAD_EVENT_NAME, EINVAL)
CASE("p:foo/^1 vfs_read", BAD_EVENT_NAME, EINVAL)
CASE("p:foo/^bar/baz vfs_read", BAD_EVENT_NAME, EINVAL)
CASE("  p:^b:r   vfs_read", BAD_EVENT_NAME, EINVAL)

/* functions */
CASE("f", NONE, EINVAL)
CASE("f^10:ev vfs_read", BAD_MAXACT, EINVAL)
CASE("f^x:ev vfs_read", BAD_MAXACT, EINVAL)
CASE("f ^vfs_read+10", BAD_PROBE_ADDR, EINVAL)
CASE("f ^0xffff800080000000+4", BAD_PROBE_ADDR, EINVAL)
CASE("f ^vfs_*+0", BAD_PROBE_ADDR, EINVAL)
CASE("f ^vfs_read,,vfs_write", BAD_PROBE_ADDR, EINVAL)
CASE("f ^!vfs_read", BAD_PROBE_ADDR, EINVAL)
CASE("f ^mod:", BAD_PROBE_ADDR, EINVAL)
CASE("f vfs_*^%rerun", BAD_ADDR_SUFFIX, EINVAL)
CASE("f vfs_read^%rerun", BAD_ADDR_SUFFIX, EINVAL)
CASE("f:^/bar vfs_read", NO_GROUP_NAME, EINVAL)
CASE("f:foo/^b-r vfs_read", BAD_EVENT_NAME, EINVAL)

/* events on events */
CASE("e", NONE, EINVAL)
CASE("e ^a.", NO_EVENT_INFO, EINVAL)
CASE("e ^.b", NO_EVENT_INFO, EINVAL)
CASE("e ^a", NO_EVENT_INFO, EINVAL)
CASE("e ^a/b/c", NO_EVENT_INFO, EINVAL)
CASE("e ^a." N60 N10, NO_EVENT_INFO, EINVAL)
CASE("e:^/bar a.b", NO_GROUP_NAME, EINVAL)
CASE("e:^ a.b", NO_EVENT_NAME, EINVAL)
CASE("e:foo/^b-r a.b", BAD_EVENT_NAME, EINVAL)

/* deletes */
CASE("-", NONE, EINVAL)
CASE("-:", NONE, EINVAL)
CASE("-foo", NONE, EINVAL)
CASE("-10:grp/ev", NONE, EINVAL)
CASE("!p", NONE, EINVAL)
CASE("!p:", NONE, EINVAL)
CASE("!grp/ev", NONE, EINVAL)
CASE("-:/ev", NONE, ENOENT)
CASE("-:/", NONE, ENOENT)

#undef N10
#undef N60
