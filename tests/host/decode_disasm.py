#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Ask disassemblers about words that our decoder calls unallocated.

usage: decode_disasm.py [PER_ROW [SEED]]

Words of every row, and their neighbours one bit away, go to binutils' objdump
and to the newest llvm-mc there is. A word that one of them knows and we call
unallocated is a failure, unless it is among EXCUSED. Words that we step and
neither knows are counted: they are holes in tables that we take as a whole.
"""

import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(TOP, "build/host")

# What a disassembler prints though it is no instruction, and why it does.
EXCUSED = [
    (r"(msrr?|mrrs?|mrs)\b.*\bs[01]_[0-7]_c\d+_c\d+_[0-7]",
     "op0 of a system register is 2 or 3: bit 20 is fixed"),
    (r"(ld64b|st64b|st64bv|st64bv0)\b",
     "64 bytes need eight registers, from an even one below 24"),
]


def samples(per_row, seed):
    """List of (word, verdict, reason, row name)."""
    program = os.path.join(OUT, "decode_sample")
    os.makedirs(OUT, exist_ok=True)
    subprocess.run(["gcc", "-std=gnu11", "-O2", "-I" + TOP + "/src",
                    "-I" + HERE, "-I" + TOP + "/arch/arm64", "-o", program,
                    HERE + "/decode_sample.c"], check=True)
    text = subprocess.run([program, str(per_row), str(seed)], check=True,
                          capture_output=True, text=True).stdout
    return [(int(line[:8], 16), *line[9:].split("|"))
            for line in text.splitlines()]


def objdump(words):
    """For each word its text, or None if binutils does not know it."""
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"".join(w.to_bytes(4, "little") for w in words))
        f.flush()
        out = subprocess.run(["aarch64-linux-gnu-objdump", "-Dz", "-b",
                              "binary", "-m", "aarch64", f.name], check=True,
                             capture_output=True, text=True).stdout
    texts = re.findall(r"^ +[0-9a-f]+:\t[0-9a-f]{8} \t(.*)$", out, re.M)
    return [None if t.startswith(".inst") else t for t in texts]


def newest_llvm():
    """The llvm-mc with the highest version number, or None."""
    found = glob.glob("/usr/bin/llvm-mc-[0-9]*") or \
        [p for p in [shutil.which("llvm-mc")] if p]
    return max(found, key=lambda p: int((re.findall(r"\d+$", p) or [0])[0]),
               default=None)


def llvm(words):
    """The same for LLVM. It says in which lines it found nothing to print."""
    text = "".join(" ".join("0x%02x" % b for b in w.to_bytes(4, "little")) +
                   "\n" for w in words)
    run = subprocess.run([newest_llvm(), "--disassemble", "-triple=aarch64",
                          "-mattr=+all"], input=text, capture_output=True,
                         text=True, check=False)
    bad = {int(n) for n in re.findall(
        r"^<stdin>:(\d+):\d+: warning: invalid instruction", run.stderr, re.M)}
    good = iter(line.strip() for line in run.stdout.splitlines()
                if line.startswith("\t") and not line.startswith("\t."))
    return [None if n in bad else next(good)
            for n in range(1, len(words) + 1)]


def excuse(text):
    """Why a disassembler prints this, if it is no instruction."""
    return next((why for pattern, why in EXCUSED
                 if re.match(pattern, text.lower())), None)


def judge(name, words, texts):
    """Compare with one disassembler; return the number of failures."""
    bad = 0
    excused = collections.Counter()
    if len(texts) != len(words):
        print("not ok %s: %d answers to %d words" %
              (name, len(texts), len(words)))
        return 1
    for (word, _, reason, _), text in zip(words, texts):
        if reason != "unallocated" or text is None:
            continue
        why = excuse(text)
        excused[why] += 1
        if not why:
            bad += 1
            if bad <= 20:
                print("not ok %s knows %08x: %s" % (name, word, text))
    known = sum(t is not None for t in texts)
    print("%s knows %d of %d words" % (name, known, len(words)))
    for why, count in excused.items():
        if why:
            print("  %d of them are none: %s" % (count, why))
    return bad


def main(args):
    """Run all disassemblers that are installed."""
    per_row = int(args[0]) if args else 400
    seed = int(args[1]) if len(args) > 1 else int(time.time())
    print("seed %d" % seed)
    words = samples(per_row, seed)
    numbers = [w[0] for w in words]
    answers, failed, skipped = [], 0, 0
    for name, there, ask in (
            ("binutils", shutil.which("aarch64-linux-gnu-objdump"), objdump),
            (os.path.basename(newest_llvm() or "llvm-mc"), newest_llvm(),
             llvm)):
        if not there:
            print("skip %s: not installed" % name)
            skipped += 1
            continue
        texts = ask(numbers)
        failed += judge(name, words, texts) > 0
        answers.append(texts)
    holes = collections.Counter(
        row for (_, verdict, _, row), *known in zip(words, *answers)
        if verdict != "refuse" and not any(known))
    print("%d words are stepped that none knows, in %d rows" %
          (sum(holes.values()), len(holes)))
    print("%d passed, %d failed, %d skipped" %
          (2 - failed - skipped, failed, skipped))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
