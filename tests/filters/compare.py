#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare what two implementations made of filters and hist triggers:
compare.py --image IMAGE CASES SAID

SAID is what guest.c printed. Of each case and side: E errno, S what the filter or
trigger file shows, O the records that passed, or the hist file. Before them, R
lines: the kernel's README. Ends with the line of counts; a case is skipped if
this kernel is too old to know what it is about.
"""

import argparse
import collections
import pathlib
import re
import sys

PARTS = {"E": "errno", "S": "shown", "O": "result"}
# What newer kernels have, and what tells that one has it.
NEWER = [(r"\.function ", "Function not found"), (r"CPUS\{", "Invalid cpulist"),
         (r"\.percent|\.graph", ".percent"), (r"nohitcount", "nohitcount"),
         (r"common_cpu", "common_cpu")]


def read_said(said):
    """Return the README and {(case, side): {letter: lines}}."""
    readme, sides, at = [], {}, None
    for line in said.read_text(errors="replace").splitlines():
        line = line.rstrip("\r")
        if line.startswith("R "):
            readme.append(line[2:])
        elif m := re.fullmatch(r"# (\d+) ([01])", line):
            at = sides.setdefault((int(m[1]), int(m[2])),
                                  {letter: [] for letter in PARTS})
        elif line == "# end":
            at = None
        elif at is not None and line[:1] in PARTS and line[1:2] == " ":
            at[line[0]].append(line[2:])
    return "\n".join(readme), sides


def sorted_by(text, entry):
    """Return what a hist trigger sorts an entry by."""
    m = re.search(r":sort=([^: ]+)", text)
    values = []
    for field in (m[1] if m else "hitcount").split(","):
        name = field.removesuffix(".descending").removesuffix(".ascending")
        m = re.search(rf"[ ,]{re.escape(name)}: *(\S+)", entry)
        values.append(m[1] if m else "")
    return values


def settle(text, lines):
    """Bring entries that sort alike into an order of their own."""
    entries = [line for line in lines if line.startswith("{")]
    rest = [line for line in lines if not line.startswith("{")]
    order = [sorted_by(text, entry) for entry in entries]
    return rest, order, sorted(entries)


def mended(side):
    """Return what the kernel said without its mistakes (docs/differences.md)."""
    return {letter: [line.replace("common_cpucommon_cpu", "common_cpu")
                     for line in lines] for letter, lines in side.items()}


def differences(text, kernel, kptrace):
    """Return the letters of the parts that differ."""
    kernel = mended(kernel)
    differs = [letter for letter in PARTS if kernel[letter] != kptrace[letter]]
    if text.startswith("hist:") and "O" in differs and \
            settle(text, kernel["O"]) == settle(text, kptrace["O"]):
        differs.remove("O")
    return differs


def too_old(text, kernel, readme, image):
    """Return what the kernel lacks that it refuses the case."""
    for pattern, word in NEWER:
        if kernel["E"] != ["0"] and re.search(pattern, text) and \
                word not in readme and word.encode() not in image:
            return word
    return ""


def tell(text, differs, kernel, kptrace):
    """Print a case that failed."""
    print(f"not ok: {text}")
    for letter in differs:
        print(f"  {PARTS[letter]}:")
        for name, side in ("kernel", kernel), ("kptrace", kptrace):
            for line in side[letter]:
                print(f"    {name:<8}{line}")


def main():
    """Compare, print what differs, count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--image", type=pathlib.Path, required=True)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("said", type=pathlib.Path)
    args = parser.parse_args()
    image = args.image.read_bytes()
    lines = [line.split("\t") for line in args.cases.read_text().splitlines()]
    cases = [line[2] for line in lines if line[0] in ("filter", "hist")]
    calls = sum(line[0] == "call" for line in lines)
    readme, sides = read_said(args.said)
    if len(sides) != 2 * len(cases):
        sys.exit(f"{len(sides)} answers to {len(cases)} cases")
    count, older = collections.Counter(), collections.Counter()
    for number, text in enumerate(cases):
        kernel, kptrace = sides[number, 0], sides[number, 1]
        if word := too_old(text, kernel, readme, image):
            count["skipped"] += 1
            older[word] += 1
            continue
        if differs := differences(text, kernel, kptrace):
            count["failed"] += 1
            tell(text, differs, kernel, kptrace)
            continue
        count["passed"] += 1
        if kernel["E"] != ["0"]:
            count["refused"] += 1
        elif not text.startswith("hist:"):
            count["dividing"] += 0 < len(kernel["O"]) < calls
    for word, times in older.most_common():
        print(f"skipped: {times} times for want of: {word}")
    print(f"{count['dividing']} filters let some calls pass; "
          f"{count['refused']} cases are refused by both")
    print(f"{count['passed']} passed, {count['failed']} failed, "
          f"{count['skipped']} skipped")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
