# SPDX-License-Identifier: GPL-2.0-only
"""What trace shows under each of its options and pairs of them, for compare.py.

The same calls are recorded once. Times, numbers of events, flags (the kernel's own
show the state of the exception, kptrace's that of the probed code) and what only
one side counts are made alike; all other bytes have to be the same.
"""

import itertools
import re

# As in trace_options; all begin with what is default.
OPTIONS = """sym-offset sym-addr verbose raw hex bin fields latency-format
    nocontext-info noirq-info record-tgid nohash-ptr noannotate
    noprint-parent""".split()
MORE = [("latency-format", "verbose", "sym-addr"),
        ("record-tgid", "noirq-info", "fields", "sym-addr")]
# The kernel may be too old for some.
DEFINITIONS = """
p:cmp/none kpt_target:kpt_target_none
p:cmp/ints kpt_target:kpt_target_ints %x0:u8 b=%x1:s8 %x2:x16 d=%x3:s32
p:cmp/two kpt_target:kpt_target_two bits=%x1:b4@4/16 l=%x0:x64 %x0
p:cmp/char kpt_target:kpt_target_ten %x0:char
p:cmp/text kpt_target:kpt_target_string s=+0(%x0):string c=$comm
p:cmp/list kpt_target:kpt_target_object n=+88(%x0):u16[3]
p:cmp/six kpt_target:kpt_target_six at=%lr:symbol x0=%x0
p:cmp/bad kpt_target:kpt_target_bad t=+0(%x0):string
r:cmp/ret kpt_target:kpt_target_returns ret=$retval:s64
r:cmp/void kpt_target:kpt_target_none
""".strip().split("\n")
CALLS = ["none", "ints", "two 2", "ten", "string", "object", "six", "bad",
         "returns 1 -3"]


def switch(option):
    """Return the option that takes it back."""
    return option[2:] if option.startswith("no") else "no" + option


def cases(_):
    """Yield the calls, by one task on one CPU, and the options."""
    yield "", ["cpu 0", "must /proc/sys/kernel/kptr_restrict 0",
               "clear kprobe_events"] + \
        [f"maybe kprobe_events {text}" for text in DEFINITIONS] + \
        ["clear trace", "must trace_options record-tgid",
         "must events/cmp/enable 1"] + \
        [f"must /proc/kpt_target call {call}" for call in CALLS] + \
        ["must events/cmp/enable 0", "must trace_marker a text",
         "must trace_marker_raw id  some bytes",
         "must trace_options norecord-tgid", "must tracing_on 0"]
    chosen = [()]
    for n, option in enumerate(OPTIONS):
        chosen += itertools.product([option], [()] + OPTIONS[n + 1:])
    for options in chosen + MORE:
        options = [option for option in options if option]
        yield ",".join(options) or "default", \
            [f"write trace_options {option}" for option in options] + \
            ["show O trace"] + \
            [f"try trace_options {switch(option)}" for option in options]
    yield "", ["clear kprobe_events", "must tracing_on 1"]


PARTS = {"E": "errno", "O": "trace"}
FLAGS = r"[dDb.][nNplLbB.][ZzHhs.][0-9a-f.][0-9a-f.]"
ALIKE = [
    # default, verbose: flags and time; latency-format: time since the clear
    (r"(\[\d+\] )" + FLAGS + r"(?= )", r"\1.....", None),
    (r"^( *\S+-\d+ +\d)" + FLAGS + r"(?= )", r"\1.....", "latency-format"),
    (r" +\d+\.\d{6}: ", " TIME: ", None),
    (r" +\d+us.: ", " TIME: ", "latency-format"),
    (r"^( *\S+ +\d+ +\d+ )\d+ [0-9a-f]{8} ([0-9a-f]{8} )\[[0-9a-f]+\] "
     r"\S+ms \(\S+ms\): ", r"\1\2TIME: ", "latency-format"),
    # raw, hex
    (r"^(\d+ \d+ )\d+ ", r"\1TIME ", "raw"),
    (r"^([0-9a-f]{8} [0-9a-f]{8} )[0-9a-f]{16} ", r"\1TIME ", "hex"),
    (r"type: \d+", "type: N", None),
    (r"UNKNOWN TYPE \d+", "UNKNOWN TYPE N", None),
    # a mark shows the function that recorded it, or nothing of ours
    (r"[\w.]+(\+0x\w+/0x\w+)?( \[\w+\])?( <[0-9a-f]+>)?: a text", "a text",
     None),
    # older kernels show what fills up the record
    (r"( buf:( \w\w)+?)( 00)+$", r"\1", None),
    (r"# [0-9a-f]+ a text", "a text", "raw"),
    (r"(trace v1\.1\.5 on ).*", r"\1", "latency-format"),
]


def alike(lines, options):
    """Remove the parts of a line that differ between runs."""
    text = "\n".join(lines)
    if "bin" in options and "nocontext-info" not in options:
        # pid, CPU and time are bytes
        text = re.sub(r"(.{8}).{8}(type: )", r"\1\2", text, flags=re.S)
    for pattern, to, option in ALIKE:
        if option is None or option in options:
            text = re.sub(pattern, to, text, flags=re.M | re.A)
    return text.split("\n")


def lacks(case, _):
    """Tell options that the kernel does not know."""
    return case.text if set(case.kernel["errno"]) - {"0"} else ""


def meant(case):
    """Make alike; a text without records says nothing."""
    for side in case.kernel, case.kptrace:
        side["trace"] = alike(side["trace"], case.text.split(","))
    if case.kernel["trace"] == case.kptrace["trace"] and \
            len(case.kernel["trace"]) > 12:
        case.differs.discard("trace")
    else:
        case.differs.add("trace")
    return []


def summary(_):
    """Count nothing more."""
    return []
