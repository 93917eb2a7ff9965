#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare our decoder with that of the kernel's kprobes.

usage: decode_mainline.py [--all] TREE...

TREE is an unpacked kernel source (scripts/source prints one). Its decode-insn.c
and insn.c are compiled for this machine and asked about the same words: all
branches and system instructions and every 61st of the others, or all 2^32 with
--all. Each difference must be explained in decode_mainline.why.
"""

import fnmatch
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
CFLAGS = ["-std=gnu11", "-O2", "-I" + TOP + "/src", "-I" + HERE,
          "-I" + TOP + "/arch/arm64"]


def series(tree):
    """(major, minor) of a kernel source."""
    with open(os.path.join(tree, "Makefile"), encoding="ascii",
              errors="replace") as f:
        text = f.read()
    return tuple(int(re.search(rf"^{key} = (\d+)", text, re.M).group(1))
                 for key in ("VERSION", "PATCHLEVEL"))


def build(tree, out):
    """Compile the kernel's decoder and ours into one program."""
    shutil.rmtree(out, ignore_errors=True)
    probes = os.path.join(tree, "arch/arm64/kernel/probes")
    headers = os.path.join(tree, "arch/arm64/include/asm")
    lib = os.path.join(tree, "arch/arm64/lib/insn.c")
    ours = [os.path.join(headers, h) for h in ("insn.h", "insn-def.h")]
    texts = [lib] + ours + [os.path.join(probes, f) for f in
                            ("decode-insn.c", "decode-insn.h",
                             "simulate-insn.h")]
    for path in texts:
        with open(path, encoding="utf-8") as f:
            for name in re.findall(r"^#include <(.*)>", f.read(), re.M):
                stub = os.path.join(out, "include", name)
                os.makedirs(os.path.dirname(stub), exist_ok=True)
                with open(stub, "w", encoding="ascii"):
                    pass
    for path in ours:
        shutil.copy(path, os.path.join(out, "include/asm"))
    objects = []
    for path in (os.path.join(probes, "decode-insn.c"), lib):
        obj = os.path.join(out, os.path.basename(path) + ".o")
        subprocess.run(["gcc", "-std=gnu11", "-O2", "-w",
                        "-DBUG_ON(cond)=((void)(cond))", "-include",
                        HERE + "/decode_mainline.h",
                        "-I" + out + "/include", "-c", path, "-o", obj],
                       check=True)
        objects.append(obj)
    # The simulators are named but not called.
    program = os.path.join(out, "compare")
    subprocess.run(["gcc", *CFLAGS, "-no-pie",
                    "-Wl,--unresolved-symbols=ignore-all", "-o", program,
                    HERE + "/decode_mainline.c", *objects], check=True)
    return program


class Why:
    """One line of decode_mainline.why."""

    def __init__(self, line):
        *self.key, row, text = line.split("|")
        self.row = row
        self.until = self.since = None
        for word, name in (("to", "until"), ("from", "since")):
            found = re.match(rf"{word} (\d+)\.(\d+): ", text)
            if found:
                setattr(self, name, tuple(map(int, found.groups())))
                text = text[found.end():]
        self.text = text
        self.used = 0

    def explains(self, diff, version):
        """Does this line explain a line of the comparison?"""
        if self.until and version > self.until:
            return False
        if self.since and version < self.since:
            return False
        return diff[:3] == self.key and fnmatch.fnmatchcase(diff[3], self.row)


def load_why():
    """The lines of decode_mainline.why."""
    with open(HERE + "/decode_mainline.why", encoding="utf-8") as f:
        return [Why(line.rstrip("\n")) for line in f
                if line.strip() and not line.startswith("#")]


def compare(tree, step, whys):
    """Compare with one kernel; return (explained, unexplained) classes."""
    version = series(tree)
    out = os.path.join(TOP, "build/host/mainline-%d.%d" % version)
    lines = subprocess.run([build(tree, out), str(step)], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    print("Linux %d.%d: the same answer for %s words" %
          (*version, lines[0].split("|")[1]))
    counts, bad = {}, 0
    for line in lines[1:]:
        diff = line.split("|")
        why = next((w for w in whys if w.explains(diff, version)), None)
        if not why:
            bad += 1
            print("not ok ours %s, theirs %s: %s (%s), %s words, e.g. %s" %
                  (diff[0], diff[1], diff[3], diff[2], diff[4], diff[5]))
            continue
        why.used += 1
        counts[why] = counts.get(why, 0) + int(diff[4])
    for why, count in counts.items():
        print("%11d  ours %s, theirs %s: %s. %s" %
              (count, why.key[0], why.key[1],
               why.key[2] if why.row == "*" else why.row, why.text))
    return len(counts), bad


def main(args):
    """Compare with all trees given."""
    step = 61
    if args and args[0] == "--all":
        step, args = 1, args[1:]
    if not args:
        sys.exit(__doc__)
    whys = load_why()
    good = bad = 0
    for tree in args:
        explained, unexplained = compare(tree, step, whys)
        good, bad = good + explained, bad + unexplained
    for why in whys:
        if not why.used and not why.until and not why.since:
            bad += 1
            print("not ok explains nothing: %s" % why.text)
    print("%d passed, %d failed, 0 skipped" % (good, bad))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
