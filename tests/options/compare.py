#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare what trace shows under its options: compare.py SAID

SAID is what guest.sh printed. Times, numbers of events, flags (the kernel's own
show the state of the exception, kptrace's that of the probed code) and what only
one side counts are made alike; all other bytes have to be the same. A case is
skipped if the kernel does not know an option. Ends with the line of counts.
"""

import base64
import collections
import pathlib
import re
import sys

FLAGS = rb"[dDb.][nNplLbB.][ZzHhs.][0-9a-f.][0-9a-f.]"
ALIKE = [
    # default, verbose: flags and time; latency-format: time since the clear
    (rb"(\[\d+\] )" + FLAGS + rb"(?= )", rb"\1.....", None),
    (rb"^( *\S+-\d+ +\d)" + FLAGS + rb"(?= )", rb"\1.....", "latency-format"),
    (rb" +\d+\.\d{6}: ", b" TIME: ", None),
    (rb" +\d+us.: ", b" TIME: ", "latency-format"),
    (rb"^( *\S+ +\d+ +\d+ )\d+ [0-9a-f]{8} ([0-9a-f]{8} )\[[0-9a-f]+\] "
     rb"\S+ms \(\S+ms\): ", rb"\1\2TIME: ", "latency-format"),
    # raw, hex
    (rb"^(\d+ \d+ )\d+ ", rb"\1TIME ", "raw"),
    (rb"^([0-9a-f]{8} [0-9a-f]{8} )[0-9a-f]{16} ", rb"\1TIME ", "hex"),
    (rb"type: \d+", b"type: N", None),
    (rb"UNKNOWN TYPE \d+", b"UNKNOWN TYPE N", None),
    # a mark shows the function that recorded it, or nothing of ours
    (rb"[\w.]+(\+0x\w+/0x\w+)?( \[\w+\])?( <[0-9a-f]+>)?: a text", b"a text",
     None),
    # older kernels show what fills up the record
    (rb"( buf:( \w\w)+?)( 00)+$", rb"\1", None),
    (rb"# [0-9a-f]+ a text", b"a text", "raw"),
    (rb"(trace v1\.1\.5 on ).*", rb"\1", "latency-format"),
]


def cases(said):
    """Return {options: {side: (status, text)}}."""
    found, at = collections.OrderedDict(), None
    for line in said.read_text().splitlines():
        words = line.strip().split(" ")
        if words[0] == "#" and len(words) == 4:
            at = [words[3], ""]
            found.setdefault(words[1], {})[words[2]] = at
        elif words[0] == "#":
            at = None
            print(line)
        elif at and not line.startswith("PASS"):
            at[1] += line.strip()
    return found


def alike(text, options):
    """Take away what can not be the same."""
    if "bin" in options and "nocontext-info" not in options:
        # pid, CPU and time are bytes
        text = re.sub(rb"(.{8}).{8}(type: )", rb"\1\2", text, flags=re.S)
    for pattern, to, option in ALIKE:
        if option is None or option in options:
            text = re.sub(pattern, to, text, flags=re.M)
    return text


def main():
    """Compare, print what differs, count."""
    count = collections.Counter()
    for name, sides in cases(pathlib.Path(sys.argv[1])).items():
        options = name.split(",")
        if "kernel" in sides and sides["kernel"][0] != "0":
            count["skipped"] += 1
            print(f"skipped: {name}: the kernel has no such option")
            continue
        texts = [alike(base64.b64decode(sides[side][1]), options).split(b"\n")
                 for side in ("kernel", "kptrace")]
        if texts[0] == texts[1] and len(texts[0]) > 12 and \
                sides["kptrace"][0] == "0":
            count["passed"] += 1
            continue
        count["failed"] += 1
        print(f"not ok: {name or 'default'}: kptrace's status "
              f"{sides['kptrace'][0]}, {len(texts[0])} lines")
        for ours, theirs in zip(texts[1] + [b""] * 99, texts[0]):
            if ours != theirs:
                print(f"  kernel   {theirs!r}\n  kptrace  {ours!r}")
    print(f"{count['passed']} passed, {count['failed']} failed, "
          f"{count['skipped']} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
