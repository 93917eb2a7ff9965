# SPDX-License-Identifier: GPL-2.0-only
"""Events on events, for compare.py: on the same event of f, by hand and random ones.

Kernels whose own f or e is older than that are skipped.
"""

import random
import re

SOURCE = ("f:fp/src vfs_unlink s8=\\-5:s8 u8=\\250:u8 s16=\\-300:s16 x16=\\0xabcd:x16 "
          "s32=\\-70000:s32 u32=\\4000000000:u32 d=\\0x1122334455667788 c=\\65:char "
          "t=\\\"text\" name=$arg3:%pd m=+0($arg3):u8[3]")
NUMBERS = ["s8", "u8", "s16", "x16", "s32", "u32", "d", "c"]
TYPES = [""] + [":" + sign + size for sign in "usx"
                for size in ("8", "16", "32", "64")] + \
    [":b4@2/16", ":b1@31/32", ":char"]
WRITTEN = """
e:ep/ev fp.src
e:ep/ev fp/src
e10:ep/ev fp.src
ex:ep/ev fp.src a=$s8
e:ep/ev fp.src a=s8
e:ep/ev fp.src s8
e:ep/ev fp.src $s8 $u8 $s16 $x16 $s32 $u32 $d $c
e:ep/ev fp.src n=$name:string t=$t:string
e:ep/ev fp.src n=+0($name):string c=+1($t):char b=+0($t):x8[4]
e:ep/ev fp.src t=$t:ustring
e:ep/ev fp.src $comm:string
e:ep/ev fp.src $COMM:string
e:ep/ev fp.src \\5 \\"imm" @_stext
e:ep/ev fp.src $__probe_ip:symbol
e:ep/ev fp.src $__probe_ip:symstr
e:ep/ev fp.src a=$s8 if s8 < 0
e:ep/ev fp.src a=$s8 if s8 > 0
e:ep/ev fp.src a=$s8 if name ~ "*no*such*"
e:ep/ev fp.src if
e:ep/ev fp.src a=$s8 if
e:ep/ev fp.src if no_such == 1
e:ep/ev fp.src if s8 ==
e:ep/ev fp.src if t == 5
e:ep/ev fp.src $common_pid
e:ep/ev fp.src common_pid
e:ep/ev fp.src $nope
e:ep/ev fp.src nope
e:ep/ev fp.src x=nope
e:ep/ev fp.src COMM
e:ep/ev fp.src %x0
e:ep/ev fp.src $stack
e:ep/ev fp.src $stack0
e:ep/ev fp.src $arg1
e:ep/ev fp.src $arg*
e:ep/ev fp.src $retval
e:ep/ev fp.src $current
e:ep/ev fp.src this_cpu_read(s8)
e:ep/ev fp.src +0(this_cpu_ptr(s8))
e:ep/ev fp.src $t:string[2]
e:ep/ev fp.src $t:x8[4]
e:ep/ev fp.src $s8:nothing
e:ep/ev fp.src a=$s8 a=$u8
e:ep/ev fp.src a.b=$s8
e:ep/ev fp.src =$s8
e:ep/ev fp.src a=
e:ep/ev fp.src +0($t
e:ep/ev fp.src +0$t)
e:ep/ev fp.src +0($comm)
e:ep/ev fp.src common_pid=$s8
e:ep/ev fp.src __probe_ip=$s8
e:ep/ev a.
e:ep/ev .b
e:ep/ev a.b
e:ep/ev fp
e:ep/ev fp.nope
e:/ev fp.src
e: fp.src
e:ep/e.v fp.src
e:e-p/ev fp.src
e:e+p/ev fp.src
e:fp/src fp.src
e
e:ep/ev
e:ep/ev fp.src;;e:ep/ev fp.src
e:ep/ev fp.src;;-:fp/src
e:ep/ev fp.src;;-:ep/ev
e:ep/ev fp.src;;-:ep/ev fp/src
e:ep/ev fp.src a=$s8;;-:ep/ev fp.src a=$s8
e:ep/ev fp.src a=$s8;;-:ep/ev fp.src b=$s8
e:ep/ev fp.src a=$s8;;-:ep/ev fp.nope
e:ep/ev fp.src;;p:ep/ev vfs_read
e:ep/ev fp.src;;e:ep/e2 ep.ev
""".strip("\n").split("\n")


def argument(gen):
    """Return a random argument."""
    field = "$" + gen.choice(NUMBERS)
    text = "$" + gen.choice(["t", "name", "m"])
    return gen.choice([field, field[1:], field, f"+{gen.randrange(3)}({text})",
                       f"\\{gen.randrange(300)}"]) + gen.choice(TYPES)


def random_cases(seed):
    """Yield good ones and broken ones."""
    gen = random.Random(seed)
    for n in range(120):
        words = [gen.choice(["", f"a{i}="]) + argument(gen)
                 for i in range(1 + gen.randrange(4))]
        if not gen.randrange(3):
            words.append(f"if {gen.choice(NUMBERS)} {gen.choice(['<', '>', '&', '=='])} "
                         f"{gen.randrange(300)}")
        line = " ".join(["e:ep/ev fp.src"] + words)
        if n % 2:
            at = 15 + gen.randrange(len(line) - 15)
            line = line[:at] + gen.choice("+-()@$%:[]u09xs\\\"=,.&") + \
                line[at + gen.randrange(2):]
        yield line


def cases(seeds):
    """Yield all cases."""
    yield "", ["cpu 0", "clear dynamic_events", "clear error_log",
               f"maybe dynamic_events {SOURCE}"]
    for line in WRITTEN + [line for seed in seeds for line in random_cases(seed)]:
        yield line, ["try dynamic_events -:ep/e2", "try dynamic_events -:ep/ev",
                     "try dynamic_events -:e-p/ev", "clear error_log"] + \
            [f"write dynamic_events {part}" for part in line.split(";;")] + \
            ["show T error_log", "show S dynamic_events", "stop"] + \
            ([] if ";;" in line or not line.startswith("e:ep/ev ") else
             ["show F events/ep/ev/format", "clear trace",
              "must events/ep/ev/enable 1", "unlink",
              "must events/ep/ev/enable 0", "trace"])
    yield "", ["try dynamic_events -:ep/ev", "try dynamic_events -:ep/e2",
               "try dynamic_events -:e-p/ev", "clear dynamic_events"]


PARTS = {"E": "errno", "T": "caret", "S": "list", "F": "format", "O": "trace"}


def split(side):
    """Tell the last reason in error_log, and leave out numbers of events."""
    log = side["caret"]
    reasons = [line.partition("error: ")[2] for line in log if "error: " in line]
    side["reason"] = reasons[-1] if reasons else ""
    side["caret"] = log[-2:]
    side["format"] = [line for line in side["format"]
                      if not line.startswith("ID: ")]


def lacks(case, kernel):
    """Tell kernels without f, or with an older e."""
    for word in ("f[:[<group>/][<event>]]", "This event field is not found."):
        if not kernel.has(word):
            return word
    return ""


def meant(case):
    """Take away the differences that docs/differences.md tells."""
    rows = []

    def row(name, parts):
        if case.differs & parts:
            rows.append(name)
            case.differs.difference_update(parts)

    if " if " in case.text and \
            [line.partition(" if ")[0] for line in case.kptrace["list"]] == \
            case.kernel["list"]:
        row("`if FILTER`", {"list"})
    kernel, own = case.kernel, case.kptrace
    if re.search(r"[ =($]s8\b", case.text):
        row("a signed field of 1 byte", {"trace"})
    if re.search(r'[ =]\\"', case.text):
        row("`$comm`, `\\\"TEXT\"` without a type", {"trace", "format"})
    if own["reason"] == "$comm and immediate-string only accepts string type":
        row("`$comm:TYPE`, `\\\"TEXT\":TYPE` of another type than `string`",
            set(PARTS.values()) | {"reason"})
    if "$__probe_ip:sym" in case.text:
        row("the place of an `f` event in a record", {"trace"})
    if "is used by" in own["reason"] and not kernel["reason"]:
        row("deleting an event that is in use", {"caret", "reason"})
    if own["reason"] == "Dereference has wrong suffix" and not kernel["reason"]:
        row("`+0(%x0)u32`, text behind the last brace", set(PARTS.values()) | {"reason"})
    return rows


def mistakes():
    """Return nothing: the rows are few."""
    return []


def summary(case):
    """Count records."""
    return {"records": len(case.kptrace["trace"])}
