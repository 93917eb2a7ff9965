#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare what the kernel's own tracing and kptrace said, or make the cases:

compare.py SUBJECT --cases [SEED]...
compare.py SUBJECT --image IMAGE SAID [SEED]...

A subject is a module of this folder, which has:
  cases(seeds)          yields a name and a list of steps (see guest.c); without a
                        name: steps that prepare what follows
  PARTS                 by the letter that guest.c prints, what that is
  lacks(case, kernel)   what this kernel is too old to know, or "": then the case is
                        skipped
  meant(case)           takes known differences from case.differs; returns for each
                        what tells it
  summary(case)         words to count, of a case that passed
and may have:
  split(side)           changes the parts of a side into others
  mistakes()            rules that the documentation does not know

SAID is what guest.c printed. The last line is that of the counts.
"""

import argparse
import collections
import importlib
import pathlib
import re
import sys


class Kernel:
    """What tells how old the kernel is."""

    def __init__(self, readme, image):
        self.readme, self.image = readme, image.read_bytes()

    def has(self, word):
        """Tell if README or the image have the word."""
        return word in self.readme or word.encode() in self.image


def without_hints(lines):
    """Take away what error_log says behind the kernel's own texts of reasons."""
    if not isinstance(lines, list):
        return lines
    return [re.sub(r"(error: .*?):? did you mean .*", r"\1", line) for line in lines]


class Case:
    """One case: its name, what both said by part, and which parts differ."""

    def __init__(self, subject, name, kernel, kptrace):
        self.text = name
        self.kernel, self.kptrace = (
            {part: without_hints(side[letter]) for letter, part in subject.PARTS.items()}
            for side in (kernel, kptrace))
        if hasattr(subject, "split"):
            subject.split(self.kernel)
            subject.split(self.kptrace)
        self.differs = {part for part in self.kernel
                        if self.kernel[part] != self.kptrace[part]}


def unescaped(text):
    """Return what guest.c made ASCII of; every byte is a character."""
    return re.sub(r"\\x(..)", lambda m: chr(int(m[1], 16)), text)


def read_said(said):
    """Return the README and {(case, side): {letter: lines}}."""
    sides = {}
    readme = collections.defaultdict(list)
    at = readme
    for line in said.read_text(errors="replace").split("\n"):
        line = line.rstrip("\r")
        if m := re.fullmatch(r"# (\d+) ([01])", line):
            at = sides.setdefault((int(m[1]), int(m[2])),
                                  collections.defaultdict(list))
        elif line == "# end":
            break
        elif line[1:2] == " ":
            at[line[0]].append(unescaped(line[2:]))
    else:
        sys.exit("the guest did not come to its end")
    return "\n".join(readme["R"]), sides


def tell(case):
    """Print a case that failed: lines that differ, side by side."""
    print(f"not ok: {case.text}")
    # One accepted and one not: the rest follows from that.
    parts = case.differs & {"errno", "reason", "caret"} or case.differs \
        if "errno" in case.differs else case.differs
    for part in [part for part in case.kernel if part in parts]:
        lines = [case.kernel[part], case.kptrace[part]]
        lines = [[side] if isinstance(side, str) else side for side in lines]
        width = max(len(side) for side in lines)
        print(f"  {part}:")
        for one, other in zip(*(side + [""] * (width - len(side))
                                for side in lines)):
            if one != other:
                print(f"    kernel  {one!r}\n    kptrace {other!r}")


def compare(subject, cases, kernel, sides):
    """Print what differs, count; return the status."""
    count, meant, older = (collections.Counter() for _ in range(3))
    words = collections.Counter()
    for row in getattr(subject, "mistakes", list)():
        print(f"not ok: docs/differences.md does not say: {row}")
        count["failed"] += 1
    for number, name in enumerate(cases):
        case = Case(subject, name, sides[number, 0], sides[number, 1])
        if word := subject.lacks(case, kernel):
            older[word] += 1
            continue
        meant.update(subject.meant(case))
        if case.differs:
            count["failed"] += 1
            tell(case)
        else:
            count["passed"] += 1
            words.update(subject.summary(case))
    for row, times in meant.most_common():
        print(f"meant: {times} times {row}")
    for word, times in older.most_common():
        print(f"skipped: {times} times for want of: {word}")
    for word, times in words.most_common():
        print(f"{times} {word}")
    print(f"{count['passed']} passed, {count['failed']} failed, "
          f"{older.total()} skipped")
    return 1 if count["failed"] or not count["passed"] else 0


def main():
    """Do what the arguments say."""
    parser = argparse.ArgumentParser()
    parser.add_argument("subject")
    parser.add_argument("--cases", action="store_true")
    parser.add_argument("--image", type=pathlib.Path)
    parser.add_argument("--said", type=pathlib.Path)
    parser.add_argument("seeds", nargs="*", type=int)
    args = parser.parse_intermixed_args()
    subject = importlib.import_module(args.subject)
    cases = list(subject.cases(args.seeds))
    if args.cases:
        for name, steps in cases:
            print(name, *steps, sep="\t")
        return 0
    names = [name for name, _ in cases if name]
    readme, sides = read_said(args.said)
    if len(sides) != 2 * len(names):
        sys.exit(f"{len(sides)} answers to {len(names)} cases")
    return compare(subject, names, Kernel(readme, args.image), sides)


if __name__ == "__main__":
    sys.exit(main())
