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

# Mistakes, at least one of each reason that 7.3 has; what is not about the first trigger
# stands in the second.
BROKEN = """
hist:keys=dd:v=ll,v=ll ; hist:keys=up
hist:keys=dd:v=ll:v=ss ; hist:keys=up
hist:keys=dd:a=ll,b=ll,c=ll,d=ll,e=ll,f=ll,g=ll,h=ll,i=ll,j=ll,k=ll,l=ll,m=ll,n=ll,o=ll,p=ll,q=ll ; hist:keys=up
hist:keys=dd:a=ll,b ; hist:keys=up
hist:keys=dd:a=ll,b=ss,c ; hist:keys=up
hist:keys=dd:a,b ; hist:keys=up
hist:keys=dd:a= ; hist:keys=up
hist:keys=dd:sort= ; hist:keys=up
hist:keys=dd:vals= ; hist:keys=up
hist:keys= ; hist:keys=up
hist:vals=ll ; hist:keys=up
hist: ; hist:keys=up
hist ; hist:keys=up
hist:nope ; hist:keys=up
hist:keys=dd:nope ; hist:keys=up
hist:keys=dd:clear ; hist:keys=up
hist:keys=dd:cont ; hist:keys=up
hist:keys=dd:clock=nope ; hist:keys=up
hist:keys=dd:v=common_timestamp:clock=nope ; hist:keys=up
hist:keys=dd:size=1 ; hist:keys=up
hist:keys=dd:size=1000000 ; hist:keys=up
hist:keys=dd:size=x ; hist:keys=up
hist:keys=dd.nope ; hist:keys=up
hist:keys=dd.buckets ; hist:keys=up
hist:keys=dd.buckets=0 ; hist:keys=up
hist:keys=dd.buckets=x ; hist:keys=up
hist:keys=dd:vals=ll.log2 ; hist:keys=up
hist:keys=dd:vals=ll.buckets=4 ; hist:keys=up
hist:keys=dd:vals=ll.sym ; hist:keys=up
hist:keys=dd:vals=ll.sym-offset ; hist:keys=up
hist:keys=dd:vals=ll.syscall ; hist:keys=up
hist:keys=dd:vals=ll.stacktrace ; hist:keys=up
hist:keys=dd:v=ll.log2 ; hist:keys=up
hist:keys=dd:v=ll.buckets=2 ; hist:keys=up
hist:keys=dd:v=ll.percent ; hist:keys=up
hist:keys=dd:v=ll.graph ; hist:keys=up
hist:keys=nope ; hist:keys=up
hist:keys=dd,nope ; hist:keys=up
hist:keys=dd,ss,ll,dd ; hist:keys=up
hist:keys=dd:vals=nope ; hist:keys=up
hist:keys=dd:v=nope ; hist:keys=up
hist:keys=dd:v=ll+nope ; hist:keys=up
hist:keys=dd:v=nope-ll ; hist:keys=up
hist:keys=dd:v=ll+ss+dd+ll+ss ; hist:keys=up
hist:keys=dd:v=1+2+3+4+5 ; hist:keys=up
hist:keys=dd:v=ll+2x ; hist:keys=up
hist:keys=dd:v=0x ; hist:keys=up
hist:keys=dd:v=ll/0 ; hist:keys=up
hist:keys=dd:v=4/0 ; hist:keys=up
hist:keys=dd:v=-(ll)+1 ; hist:keys=up
hist:keys=dd:v=ll-(ss) ; hist:keys=up
hist:keys=dd:v=-ll ; hist:keys=up
hist:keys=dd:v=-(ll ; hist:keys=up
hist:keys=dd:v=ll+ ; hist:keys=up
hist:keys=dd:v=+ll ; hist:keys=up
hist:keys=dd:v=ll++ss ; hist:keys=up
hist:keys=dd:v=common_timestamp-common_timestamp.usecs ; hist:keys=up
hist:keys=dd:v=common_timestamp.usecs+ll-common_timestamp ; hist:keys=up
hist:keys=dd:v=common_comm+1 ; hist:keys=up
hist:keys=dd:v=ll+common_comm ; hist:keys=up
hist:keys=dd:sort=nope ; hist:keys=up
hist:keys=dd:sort=ll ; hist:keys=up
hist:keys=dd:sort=dd.nope ; hist:keys=up
hist:keys=dd:sort=dd,hitcount,dd ; hist:keys=up
hist:keys=dd:vals=ll:sort=ll,dd,hitcount ; hist:keys=up
hist:keys=dd:nohitcount ; hist:keys=up
hist:keys=dd:NOHC ; hist:keys=up
hist:keys=dd:vals=hitcount:nohitcount ; hist:keys=up
hist:keys=dd:name=q ; hist:keys=up:name=q
hist:keys=dd:name=q:vals=ll ; hist:keys=up,ul:name=q
hist:keys=dd ; hist:keys=$v
hist:keys=dd:v=ll ; hist:keys=$v
hist:keys=dd:v=ll ; hist:keys=up:w=$x
hist:keys=dd:v=ll ; hist:keys=up:w=hp.a.$x
hist:keys=dd:v=ll ; hist:keys=up:w=hp.nope.$v
hist:keys=dd:v=ll ; hist:keys=up:w=nope.a.$v
hist:keys=dd:v=ll ; hist:keys=up:vals=$x
hist:keys=dd:v=ll ; hist:keys=up:onmatch
hist:keys=dd:v=ll ; hist:keys=up:onmatch(
hist:keys=dd:v=ll ; hist:keys=up:onmatch().hs($v,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp).hs($v,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs(
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($v,up,us
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs()
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($v)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($v,up,us,ul)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($x,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs(nope,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($v,ul,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs($v,up,common_comm)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).trace()
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).trace(nope,$v,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).trace(hs)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).snapshot()
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).save(up,ul)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.nope).hs($v,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(nope.a).hs($v,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs(hp.a.nope,up,us)
hist:keys=dd:v=ll ; hist:keys=up:onmatch(hp.a).hs(hp.nope.ll,up,us)
hist:keys=dd,ss:v=ll ; hist:keys=up:onmatch(hp.a).hs(ll,up,us)
hist:keys=dd:v=ll:onmax ; hist:keys=up
hist:keys=dd:v=ll:onmax( ; hist:keys=up
hist:keys=dd:v=ll:onmax($v ; hist:keys=up
hist:keys=dd:v=ll:onmax($v) ; hist:keys=up
hist:keys=dd:v=ll:onmax() ; hist:keys=up
hist:keys=dd:v=ll:onmax(ll).save(dd) ; hist:keys=up
hist:keys=dd:v=ll:onmax($x).save(dd) ; hist:keys=up
hist:keys=dd:v=ll ; hist:keys=up:onmax($v).save(up)
hist:keys=dd:v=ll:onmax($v).nope(dd) ; hist:keys=up
hist:keys=dd:v=ll:onmax($v).save(nope) ; hist:keys=up
hist:keys=dd:v=ll:onmax($v).save(dd,nope) ; hist:keys=up
hist:keys=dd:v=ll:onmax($v).save(dd):onchange($v).save(ll) ; hist:keys=up
hist:keys=dd:v=ll:onmax($v).save(dd):onmax($v).save(ll) ; hist:keys=up
hist:keys=dd:v=ll:onmax($v).snapshot( ; hist:keys=up
hist:keys=dd:v=ll:onchange ; hist:keys=up
hist:keys=dd:v=ll:onchange(v).save(dd) ; hist:keys=up
hist:keys=dd:v=ll:onchange($x).save(dd) ; hist:keys=up
hist:keys=dd:v=ll:onchange($v).nope(dd) ; hist:keys=up
hist:keys=dd:v=ll:nope($v).save(dd) ; hist:keys=up
hist:keys=dd if ; hist:keys=up
hist:keys=dd if nope == 1 ; hist:keys=up
hist:keys=dd if dd == ; hist:keys=up
hist:keys=dd unless dd == 1 ; hist:keys=up
hist:keys=dd ; !hist:keys=up
hist:keys=dd ; !hist:keys=nope
hist:keys=dd:pause ; hist:keys=up:pause:cont
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


def damaged_pair(gen):
    """Return a random pair with a character lost, changed or added in one of them."""
    pair = random_pair(gen).split(" ; ")
    which = gen.randrange(2)
    line = pair[which]
    at = gen.randrange(len("hist:"), len(line))
    one = gen.choice("abx019$().,:=+-*/_ ")
    pair[which] = gen.choice([line[:at] + line[at + 1:], line[:at] + one + line[at + 1:],
                              line[:at] + one + line[at:]])
    return " ; ".join(pair)


def cases(seeds):
    """Yield all cases."""
    yield "", SETUP
    pairs = WRITTEN + BROKEN
    for make in (random_pair, damaged_pair):
        pairs += [make(random.Random(seed * 1000 + n)) for seed in seeds for n in range(60)]
    for pair in pairs:
        a, b = pair.split(" ; ")
        steps = ["clear trace", "clear error_log", f"write events/hp/a/trigger {a}",
                 "show T error_log", "clear error_log", f"write events/hp/b/trigger {b}",
                 "show U error_log"]
        steps += [f"must /proc/kpt_target {call}" for call in CALLS]
        steps += ["show A events/hp/a/trigger", "show B events/hp/b/trigger",
                  "show H events/hp/a/hist", "show I events/hp/b/hist", "trace",
                  f"try events/hp/b/trigger !{b}", f"try events/hp/a/trigger !{a}"]
        yield pair, steps
    yield "", ["must events/synthetic/hs/enable 0", "clear dynamic_events"]


PARTS = {"E": "errno", "T": "reason", "U": "second reason", "A": "entry", "B": "return", "H": "entry hist",
         "I": "return hist", "O": "trace"}


def without_sign(line):
    """Return a line as the kernel shows it: negative values of onchange() as unsigned."""
    return re.sub(r"(\tchanged:) +(-\d+)", lambda m: f"{m[1]} {2 ** 64 + int(m[2]):10}", line)


def entries(lines):
    """Return the entries of a hist file in the order of their texts, and the rest."""
    blocks, rest = [], []
    for line in map(without_sign, lines):
        if line.startswith("{ "):
            blocks.append(line)
        elif line.startswith("\t") and blocks:
            blocks[-1] += line
        elif line and "Unmatched:" not in line:
            rest.append(line)
    return sorted(blocks) + rest


def split(side):
    """Tell the first reasons only, and take away what has no order."""
    for part in ("reason", "second reason"):
        reasons = [line.partition("error: ")[2] for line in side[part] if "error: " in line]
        # Of one mistake the kernel tells several reasons, the innermost first.
        side["all of " + part] = reasons
        side[part] = reasons[0] if reasons else ""
    for part in ("entry hist", "return hist"):
        side[part] = entries(side[part])
    for part in ("entry", "return"):
        side[part] = [line for line in side[part] if not line.startswith("#")]


def lacks(case, kernel):
    """Tell kernels without all kinds of triggers."""
    word = "common_stacktrace"
    return "" if kernel.has(word) and kernel.has("onchange") else word


# By hand: what is not about two mistakes.
MEANT = {
    "an action without its closing bracket": r"hs\([^)]*$",
    "`trace()`": r"trace\(\)$",
    "a key that is an unknown variable": r"; hist:keys=\$",
    "the 17th variable of one list": ",q=ll",
}


def meant(case):
    """Take away the differences that docs/differences.md tells."""
    rows = []
    failed = case.kptrace["errno"] != ["0", "0"]
    for n, part in enumerate(("reason", "second reason")):
        case.differs.discard("all of " + part)
        kernel, own = case.kernel[part], case.kptrace[part]
        if part not in case.differs or "errno" in case.differs:
            continue
        if not kernel and failed:
            rows.append("mistakes without a reason")
        elif not own and case.kernel["errno"][n] == "0":
            rows.append("what is accepted leaves a reason")
        elif own in case.kernel["all of " + part]:
            rows.append("several reasons for one mistake")
        elif kernel and own and case.text not in BROKEN + WRITTEN:
            rows.append("several mistakes in one line")
        else:
            continue
        case.differs.discard(part)
    for row, text in MEANT.items():
        if case.differs and re.search(text, case.text):
            rows.append(row)
            case.differs.clear()
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
