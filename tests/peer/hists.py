# SPDX-License-Identifier: GPL-2.0-only
"""Hist triggers, for compare.py: pairs of triggers with variables, expressions and
actions, by hand and random ones, over the same calls.

A case is what is written to the triggers of hp/a, an entry, and of hp/b, a return of
the same function, with " ; " between them. kptrace is compared with kernels that have
all of this, 7.3.
"""

import random
import re

SETUP = [
    "cpu 0", "clear dynamic_events", "clear error_log",
    "must dynamic_events p:hp/a kpt_target:kpt_target_recurse dd=%x0:u32 ss=%x0:s64 ll=%x0:u64",
    "must dynamic_events r64:hp/b kpt_target:kpt_target_recurse up=$retval:u32 "
    "us=$retval:s64 ul=$retval:u64",
    "must synthetic_events hs u64 xx; u32 yy; s64 zz",
    "must events/synthetic/hs/enable 1",
]
CALLS = ["call recurse 1 5", "call recurse 2 3", "call recurse 1 7"]

# What the fields of an entry, of a return and of the synthetic event are.
ENTRY = {"u32": "dd", "s64": "ss", "u64": "ll"}
RETURN = {"u32": "up", "s64": "us", "u64": "ul"}
SYNTH = ["u64", "u32", "s64"]

WRITTEN = """
hist:keys=dd ; hist:keys=up
hist:keys=dd:vals=ll,ss:sort=ll.descending ; hist:keys=up.hex:vals=ul.hex
hist:keys=dd.log2:vals=ll:sort=dd ; hist:keys=up.buckets=3:sort=up
hist:keys=dd:v=ll ; hist:keys=up:w=$v:onmatch(hp.a).hs($w,up,us)
hist:keys=dd:v=ll+1 ; hist:keys=up:w=$v*2:onmatch(hp.a).trace(hs,$w,up,us)
hist:keys=dd:v=dd ; hist:keys=up:onmatch(hp.a).hs(ul,$v,us)
hist:keys=dd:v=ss ; hist:keys=up:onmatch(hp.a).hs(ul,up,hp.a.$v)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs(ll,up,ss)
hist:keys=common_pid:v=ll:onmax($v).save(dd,ss) ; hist:keys=common_pid:w=ul:onchange($w).save(up)
hist:keys=dd:v=ll-3-4:onmax($v).hs($v,dd,ss) ; hist:keys=up if up > 2
hist:keys=dd:v=16-8-4-2:onmax($v).save(ll) ; hist:keys=up:x=2*3+4,y=0x10/4:onmax($x).save(up)
hist:keys=dd:v=-(ll) ; hist:keys=up:w=$v+ul:onchange($w).trace(hs,$w,up,us)
hist:keys=dd:v=ll/2,w=ll*ll:x=$w ; hist:keys=up:y=$v+$w:onmatch(hp.a).hs($y,up,us)
hist:keys=dd,ss:v=ll ; hist:keys=up,us:w=$v:onmatch(hp.a).hs($w,up,us)
hist:keys=dd:v=ll ; hist:keys=up,us:w=$v+1:onmatch(hp.a).hs($w,up,us):sort=up
hist:keys=dd:v=ll:size=256:clock=mono ; hist:keys=up:nohitcount:vals=ul
hist:name=hn:keys=dd:vals=ll ; hist:keys=up:pause
hist:keys=dd:v=ll ; hist:keys=up:w=$nope
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($v,up)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).nope($v,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).save(up)
hist:keys=dd:v=ll:onmax(v).save(dd) ; hist:keys=up
hist:keys=dd:v=ll,v=ss ; hist:keys=up
hist:keys=dd:v=ll/0 ; hist:keys=up
hist:keys=$v:v=ll ; hist:keys=up
hist:keys=dd:v=ll+ll+ll+ll+ll ; hist:keys=up
hist:keys=dd:vals=nope ; hist:keys=up:sort=nope
hist:keys=dd.nope ; hist:keys=up:w=ul.log2
""".strip("\n").split("\n")


def expression(gen, first, others):
    """Return an expression of up to three operators.

    Constants do not stand side by side, which the kernel would show as one, and not
    before a variable: 7.3 takes 1*$v for 1. By constants that are no power of two it
    divides with an error of up to one.
    """
    text = first
    may_be_number = not any("$" in other for other in others)
    was_number = False
    for _ in range(gen.randrange(4)):
        number = may_be_number and not was_number and not gen.randrange(3)
        operator = gen.choice("+-*+-*/")
        if number:
            text += operator + str(1 << gen.randrange(6) if operator == "/" else
                                   gen.randrange(1, 50))
        else:
            text += operator + gen.choice(others)
        was_number = number
    return text


def tracker(gen, kind):
    """Return a handler; the kernel's onmax() takes signed values for unsigned ones."""
    return gen.choice(["onchange", "onchange" if kind == "s64" else "onmax"])


def parameters(gen, known):
    """Return parameters for hs: of each kind a field or variable."""
    return ",".join(gen.choice(known[kind]) for kind in SYNTH)


def tail(gen, key):
    """Return a sort key, a size and a filter."""
    return gen.choice([f":sort={key}", f":sort={key}.descending", ""]) + \
        gen.choice(["", "", ":size=256", ":size=4096"]) + \
        gen.choice(["", "", f" if {key} > {gen.randrange(4)}", f" if {key} != 2"])


def random_pair(gen):
    """Return two triggers: the first one defines what the second one reads."""
    kinds = [gen.choice(SYNTH) for _ in range(gen.randrange(1, 3))]
    numbers = list(ENTRY.values())
    first = "hist:keys=dd" + gen.choice(["", ":vals=ll", ":vals=ll.hex,dd"])
    for i, kind in enumerate(kinds):
        first += f":v{i}=" + expression(gen, ENTRY[kind], numbers)
    if not gen.randrange(3):
        first += ":" + tracker(gen, kinds[0]) + "($v0)." + \
            gen.choice(["save(ss,ll)", "save(ll)", "hs(ll,dd,ss)", "trace(hs,ll,dd,ss)"])
    first += tail(gen, "dd")
    numbers = list(RETURN.values()) + [f"$v{i}" for i in range(len(kinds))]
    own = [gen.choice(SYNTH) for _ in range(gen.randrange(3))]
    second = "hist:keys=up" + gen.choice(["", ":vals=ul"])
    known = {kind: [name] for kind, name in RETURN.items()}
    for i, kind in enumerate(own):
        second += f":w{i}=" + expression(gen, RETURN[kind], numbers)
        known[kind].append(f"$w{i}")
    for i, kind in enumerate(kinds):
        known[kind].append(f"$v{i}")
    second += gen.choice([":onmatch(hp.a).hs(", ":onmatch(hp.a).trace(hs,"]) + \
        parameters(gen, known) + ")"
    if own and not gen.randrange(2):
        second += ":" + tracker(gen, own[0]) + "($w0).save(up,us)"
    return first + " ; " + second + tail(gen, "up")


def cases(seeds):
    """Yield all cases."""
    yield "", SETUP
    pairs = WRITTEN + [random_pair(random.Random(seed * 1000 + n))
                       for seed in seeds for n in range(60)]
    for pair in pairs:
        a, b = pair.split(" ; ")
        steps = ["clear trace", "clear error_log", f"write events/hp/a/trigger {a}",
                 f"write events/hp/b/trigger {b}", "show T error_log"]
        steps += [f"must /proc/kpt_target {call}" for call in CALLS]
        steps += ["show A events/hp/a/trigger", "show B events/hp/b/trigger",
                  "show H events/hp/a/hist", "show I events/hp/b/hist", "trace",
                  f"try events/hp/b/trigger !{b}", f"try events/hp/a/trigger !{a}"]
        yield pair, steps
    yield "", ["must events/synthetic/hs/enable 0", "clear dynamic_events"]


PARTS = {"E": "errno", "T": "reason", "A": "entry", "B": "return", "H": "entry hist",
         "I": "return hist", "O": "trace"}


def entries(lines):
    """Return the entries of a hist file in the order of their texts, and the rest."""
    blocks, rest = [], []
    for line in lines:
        if line.startswith("{ "):
            blocks.append(line)
        elif line.startswith("\t") and blocks:
            blocks[-1] += line
        elif line and "Unmatched:" not in line:
            rest.append(line)
    return sorted(blocks) + rest


def split(side):
    """Tell the first reason only, and take away what has no order."""
    reasons = [line.partition("error: ")[2] for line in side["reason"]
               if "error: " in line]
    side["reason"] = reasons[0] if reasons else ""
    for part in ("entry hist", "return hist"):
        side[part] = entries(side[part])
    for part in ("entry", "return"):
        side[part] = [line for line in side[part] if not line.startswith("#")]


def lacks(case, kernel):
    """Tell kernels without all kinds of triggers."""
    word = "common_stacktrace"
    return "" if kernel.has(word) and kernel.has("onchange") else word


def meant(case):
    """Take away the differences that docs/files.md tells."""
    rows = []
    if not case.kernel["reason"] and "errno" not in case.differs and \
            case.kptrace["errno"] != ["0", "0"] and "reason" in case.differs:
        rows.append("mistakes without a reason")
        case.differs.discard("reason")
    if case.kernel["errno"] == ["0", "0"] == case.kptrace["errno"] and \
            not case.kptrace["reason"] and "reason" in case.differs:
        rows.append("what is accepted leaves a reason")
        case.differs.discard("reason")
    if "x=$w" in case.text and "x=$w" in case.kptrace["entry"][0]:
        rows.append("another name of an expression, shown")
        case.differs -= {"entry", "entry hist"}
    if case.text.startswith("hist:keys=$") and case.kptrace["errno"][0] == "22":
        rows.append("variables in keys")
        case.differs.clear()
    return rows


def summary(case):
    """Count what was compared."""
    return {"records of actions": len(case.kptrace["trace"]),
            "entries": sum(line.startswith("{") for part in ("entry hist", "return hist")
                           for line in case.kptrace[part]),
            "refused": sum(line != "0" for line in case.kptrace["errno"])}
