#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare what two implementations said: compare.py --image IMAGE CASES SAID

SAID is what guest.c printed. Of each case and side: E errno of each write,
T error_log, S the listing, F the format files, O the records. Before them,
R lines: the kernel's README. Ends with the line of counts; a case is skipped if
this kernel is too old to know what it is about.
"""

import argparse
import collections
import pathlib
import re
import sys

import rules

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ("errno", "reason", "caret", "list", "format", "trace")


class Side:
    """What one side said about one case."""

    def __init__(self, lines):
        by = collections.defaultdict(list)
        for line in lines:
            by[line[0]].append(line[2:])
        self.errno = by["E"]
        self.reason, self.caret = reason_and_caret(by["T"])
        self.list = by["S"]
        self.format = [f for f in by["F"] if not f.startswith("ID: ")]
        self.trace = by["O"]


class Case:
    """One case: what was written, what both said, and how they differ."""

    def __init__(self, text, kernel, kptrace):
        self.text, self.kptrace_only = text, KPTRACE_ONLY
        self.kernel, self.kptrace = Side(kernel), Side(kptrace)
        self.differs = {part for part in PARTS
                        if getattr(self.kernel, part) !=
                        getattr(self.kptrace, part)}


def reason_and_caret(log):
    """Take the first entry of an error_log apart: its text, all the rest."""
    if not log:
        return "", []
    return log[0].partition("error: ")[2], log[1:]


def read_cases(cases, said):
    """Return the README and all cases; end if the guest did not."""
    texts = [line.split("\t", 1)[1]
             for line in cases.read_text().splitlines()]
    readme, sides, at = [], {}, None
    for line in said.read_text(errors="replace").splitlines():
        line = line.rstrip("\r")
        if line.startswith("R "):
            readme.append(line[2:])
        elif m := re.fullmatch(r"# (\d+) ([01])", line):
            at = sides.setdefault((int(m[1]), int(m[2])), [])
        elif line == "# end":
            at = None
        elif at is not None and line[1:2] == " ":
            at.append(line)
    if len(sides) != 2 * len(texts):
        sys.exit(f"{len(sides)} answers to {len(texts)} cases")
    return "\n".join(readme), [Case(text, sides[n, 0], sides[n, 1])
                               for n, text in enumerate(texts)]


def check_rules():
    """Return the rules that docs/differences.md knows nothing of."""
    doc = (TOP / "docs/differences.md").read_text()
    known = set(re.findall(r"^\| *(.+?) \|", doc, re.M))
    known |= set(re.findall(r"^#+ (.*)", doc, re.M))
    return [row for row, _ in rules.DIFFERENCES if row not in known]


def too_old(case, readme, image):
    """Return what of the case the kernel is too old to know, or nothing."""
    for tells, word in rules.NEWER:
        if tells(case) and word not in readme and word.encode() not in image:
            return word
    reason = case.kptrace.reason
    if "reason" in case.differs and reason in MAINLINE and \
            reason.encode() not in image:
        return reason
    return ""


def meant(case):
    """Return the rows that the case is about, and drop what they tell."""
    rows = []
    for row, tells in rules.DIFFERENCES:
        told = case.differs and tells(case)
        if told:
            rows.append(row)
            case.differs -= told if isinstance(told, set) else set(PARTS)
    return rows


def documented(heading):
    """Return the reasons in the table of docs/definitions.md there."""
    doc = (TOP / "docs/definitions.md").read_text()
    table = doc.partition(f"### {heading}")[2].partition("###")[0]
    return set(re.findall(r"^\| ([^|-].*?) \|", table, re.M)) - {"text"}


# Those that the newest kernels have, and the others.
MAINLINE = documented("Reasons of the kernel's own probe events")
KPTRACE_ONLY = documented("Reasons of kptrace alone")


def tell(case):
    """Print a case that failed."""
    print(f"not ok: {case.text}")
    # One accepted and one not: the rest follows from that.
    parts = PARTS[:3] if "errno" in case.differs else PARTS
    for part in parts:
        if part not in case.differs:
            continue
        kernel, kptrace = (getattr(side, part)
                           for side in (case.kernel, case.kptrace))
        if isinstance(kernel, str):
            kernel, kptrace = [kernel], [kptrace]
        width = max(len(kernel), len(kptrace))
        kernel, kptrace = (side + [""] * (width - len(side))
                           for side in (kernel, kptrace))
        for one, other in zip(kernel, kptrace):
            if one != other:
                print(f"  {part}:\n    kernel  {one}\n    kptrace {other}")


def main():
    """Compare, print what differs, count."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--image", type=pathlib.Path, required=True)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("said", type=pathlib.Path)
    args = parser.parse_args()
    image = args.image.read_bytes()
    readme, cases = read_cases(args.cases, args.said)
    count, used, older = (collections.Counter() for _ in range(3))
    for row in check_rules():
        print(f"not ok: docs/differences.md does not say: {row}")
        count["failed"] += 1
    for case in cases:
        if case.differs and (word := too_old(case, readme, image)):
            count["skipped"] += 1
            older[word] += 1
            continue
        used.update(meant(case))
        if not case.differs:
            count["passed"] += 1
        else:
            count["failed"] += 1
            tell(case)
    for row, times in used.most_common():
        print(f"meant: {times} times {row}")
    for word, times in older.most_common():
        print(f"skipped: {times} times for want of: {word}")
    records = sum(len(case.kptrace.trace) for case in cases)
    print(f"{records} records")
    print(f"{count['passed']} passed, {count['failed']} failed, "
          f"{count['skipped']} skipped")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
