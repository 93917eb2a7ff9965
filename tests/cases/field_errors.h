/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of e whose arguments are refused: CASE(line, reason, errno). '^' stands
 * before the character to blame and is no part of the line. The event has fields b, h,
 * w, d, s and others.
 */
CASE("e g.s ^foo", NO_EVENT_FIELD, EINVAL)
CASE("e g.s x=^COMM", NO_EVENT_FIELD, EINVAL)
CASE("e g.s x=^b->c", NO_EVENT_FIELD, EINVAL)
CASE("e g.s x=^common_pid", NO_EVENT_FIELD, EINVAL)
CASE("e g.s x=^$foo", BAD_VAR, EINVAL)
CASE("e g.s x=^$", BAD_VAR, EINVAL)
CASE("e g.s x=^$common_pid", BAD_VAR, EINVAL)
CASE("e g.s x=^$stack", BAD_VAR, EINVAL)
CASE("e g.s x=^$retval", BAD_VAR, EINVAL)
CASE("e g.s ^$arg1", BAD_VAR, EINVAL)
CASE("e g.s ^$arg*", BAD_VAR, EINVAL)
CASE("e g.s x=^$current", BAD_VAR, EINVAL)
CASE("e g.s x=^$elapsed", BAD_VAR, EINVAL)
CASE("e g.s x=^%x0", BAD_VAR, EINVAL)
CASE("e g.s +0(^$nope)", BAD_VAR, EINVAL)
CASE("e g.s x=^&1", BAD_FETCH_ARG, EINVAL)
CASE("e g.s x=^this_cpu_read(b)", NOSUP_PERCPU, EINVAL)
CASE("e g.s x=+0(^this_cpu_ptr(b))", NOSUP_PERCPU, EINVAL)
CASE("e g.s $b:^x8[4]", BAD_STRING, EINVAL)
CASE("e g.s $b:^nothing", BAD_TYPE, EINVAL)
CASE("e g.s a=$b ^a=$h", USED_ARG_NAME, EINVAL)
CASE("e g.s $b:^symstr[2]", BAD_STRING, EINVAL)
