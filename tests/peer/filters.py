# SPDX-License-Identifier: GPL-2.0-only
"""Random filters and hist triggers, for compare.py, over the same calls.

Values that are compared with are mostly those of the calls, so that most filters
divide them.
"""

import random
import re

FILTERS, HISTS = 100, 30
# 16 texts, 26 numbers, 20 of them once more
CALLS = 62
TEXT_AT = len("call user 1 0 ")
INTEGERS = {"a": "u8", "b": "s8", "c": "u16", "d": "s16",
            "e": "u32", "f": "s32", "g": "u64", "h": "s64"}
NUMBERS = {"v": "s64", "w": "u8", "x": "s16", "y": "u32", "z": "x64"}
# event: its definition, fields that are numbers, fields that are text
EVENTS = {
    "cmp/user": (
        f"p:cmp/user kpt_target:kpt_target_user n=$arg2:u32 "
        f"all=+u0($arg1):ustring t=+u{TEXT_AT}($arg1):ustring " +
        " ".join(f"{n}=+u{TEXT_AT}($arg1):{t}" for n, t in INTEGERS.items()),
        {**INTEGERS, "n": "u32"}, ["t", "all"]),
    "cmp/num": (
        "p:cmp/num kpt_target:kpt_target_returns " +
        " ".join(f"{n}=%x0:{t}" for n, t in NUMBERS.items()),
        NUMBERS, []),
}
LETTERS = [chr(c) for c in range(0x21, 0x7f) if chr(c) not in "\"'\\*?[]!"]


class World:
    """The calls, and what fields may be in them."""

    def __init__(self, rnd):
        self.rnd = rnd
        self.texts = [self.text() for _ in range(16)]
        self.numbers = [0, 1, -1, 2, 127, 128, 255, -128, 1 << 31, -1 << 31,
                        (1 << 63) - 1, -1 << 63]
        self.numbers += [rnd.getrandbits(rnd.randrange(1, 64)) for _ in range(6)]
        self.numbers += [rnd.randrange(-9, 9) for _ in range(8)]

    def text(self):
        """Return a word; few letters, so that some begin or end alike."""
        few = self.rnd.sample(LETTERS, 3) + ["a", "b"]
        return "".join(self.rnd.choice(few)
                       for _ in range(self.rnd.randrange(8, 20)))

    def calls(self):
        """Yield what to write to kpt_target: each value, some of them often."""
        words = [f"call user 1 0 {t}" for t in self.texts]
        words += [f"call returns 1 {n}" for n in self.numbers]
        words += self.rnd.choices(words, k=20)
        self.rnd.shuffle(words)
        yield from words

    def value(self, event, field):
        """Return a number that the field has, or nearly has."""
        kind = EVENTS[event][1][field]
        bits, signed = int(kind[1:]), kind[0] == "s"
        if event == "cmp/num":
            number = self.rnd.choice(self.numbers)
        elif field == "n":
            number = TEXT_AT + len(self.rnd.choice(self.texts))
        else:
            text = self.rnd.choice(self.texts).encode()
            number = int.from_bytes(text[:8], "little")
        number += self.rnd.choice([0, 0, 0, 1, -1])
        number &= (1 << bits) - 1
        if signed and number >> (bits - 1):
            number -= 1 << bits
        return number

    def number_text(self, number):
        """Write a number in one of the ways."""
        if number < 0:
            return str(number)
        return self.rnd.choice(["%d", "0x%x", "0%o", "%d"]) % number

    def pattern(self, word):
        """Return a pattern made of a word, that it often matches."""
        at, to = sorted(self.rnd.sample(range(len(word) + 1), 2))
        how = self.rnd.choice(["{0}*", "*{1}", "*{2}*", "{0}*{1}", "{3}", "!{0}*"])
        one = list(word)
        one[at] = "?" if self.rnd.random() < .5 else f"[{word[at]}-{word[at]}]"
        text = how.format(word[:at], word[to:], word[at:to], "".join(one))
        # A pattern that begins with a digit is taken as it is by mainline.
        return "*" + text if text[:1].isdigit() else text

    def predicate(self, event):
        """Return one comparison."""
        _, numbers, texts = EVENTS[event]
        which = self.rnd.random()
        if texts and which < .4:
            field = self.rnd.choice(texts)
            word = self.rnd.choice(self.texts)
            if field == "all":
                word = f"call user 1 0 {word}"
            quote = self.rnd.choice("\"'") if "'" not in word else '"'
            if self.rnd.random() < .3:
                return f"{field} {self.rnd.choice(['==', '!='])} {quote}{word}{quote}"
            return f"{field} ~ {quote}{self.pattern(word)}{quote}"
        if which > .9:
            return self.rnd.choice([
                "CPU == 0", "cpu != 1", "common_cpu > 0", "CPU & CPUS{0}",
                "CPU == CPUS{1}", "cpu != CPUS{0-1}", 'COMM == "guest"',
                'comm ~ "g*"', 'comm != "gues"', "common_pid > 0",
                "common_pid == 0", "__probe_ip != 0",
                "__probe_ip.function == " +
                # To the kernel the name ends at a blank only.
                EVENTS[event][0].split()[1].split(":")[1] + " "])
        field = self.rnd.choice(list(numbers))
        op = self.rnd.choice(["==", "!=", "<", "<=", ">", ">=", "&"])
        number = self.value(event, field)
        blank = self.rnd.choice([" ", " ", ""])
        return f"{field}{blank}{op}{blank}{self.number_text(number)}"

    def filter(self, event, depth=0):
        """Return a filter."""
        if depth == 3 or self.rnd.random() < .3:
            return self.predicate(event)
        parts = [self.filter(event, depth + 1)
                 for _ in range(self.rnd.randrange(1, 4))]
        text = parts[0]
        for part in parts[1:]:
            text += self.rnd.choice([" && ", " || ", "&&", "||"]) + part
        # Without braces around it, '!' is for the predicate that follows.
        if depth or len(parts) == 1:
            text = f"({text})"
        return text if self.rnd.random() < .8 else f"!({text})"

    def hist(self, event):
        """Return a hist trigger."""
        _, numbers, texts = EVENTS[event]
        fields = self.rnd.sample(list(numbers), len(numbers))
        keys = [self.key(f) for f in fields[:self.rnd.randrange(1, 3)]]
        if texts and self.rnd.random() < .5:
            keys[0] = self.rnd.choice(texts)
        if self.rnd.random() < .2:
            keys.append(self.rnd.choice(["common_cpu", "common_pid",
                                         "common_pid.execname"]))
        values = [f + self.rnd.choice(["", "", "", ".hex", ".percent", ".graph"])
                  for f in fields[2:2 + self.rnd.randrange(0, 3)]]
        text = "hist:" + self.rnd.choice(["keys", "key"]) + "=" + ",".join(keys)
        if values:
            text += f":{self.rnd.choice(['values', 'vals', 'val'])}={','.join(values)}"
        sorts = [k for k in keys if "." not in k] + ["hitcount"] + \
            [v for v in values if "." not in v]
        if self.rnd.random() < .6:
            chosen = self.rnd.sample(sorts, min(len(sorts),
                                                self.rnd.randrange(1, 3)))
            text += ":sort=" + ",".join(
                s + self.rnd.choice(["", ".descending", ".ascending"])
                for s in chosen)
        if self.rnd.random() < .3:
            text += f":size={self.rnd.choice([128, 200, 2048])}"
        if values and self.rnd.random() < .1:
            text += ":nohitcount"
        if self.rnd.random() < .5:
            text += f" if {self.filter(event, 1)}"
        return text

    def key(self, field):
        """Return a key of a number."""
        return field + self.rnd.choice(
            ["", "", ".hex", ".log2", f".buckets={self.rnd.choice([3, 10, 256])}"])


def filter_steps(event, text, calls):
    """Return what guest.c does: which of the calls pass."""
    files = f"events/{event}"
    return [f"must {files}/filter 0", f"write {files}/filter {text}",
            f"show S {files}/filter", "stop", "clear trace",
            f"must {files}/enable 1", *calls, f"must {files}/enable 0", "trace"]


def hist_steps(event, text, calls):
    """Return what guest.c does: what the calls add up to."""
    files = f"events/{event}"
    return [f"must {files}/filter 0", f"write {files}/trigger {text}", "stop",
            *calls, f"show S {files}/trigger", f"show O {files}/hist",
            f"must {files}/trigger !{text}"]


def cases(seeds):
    """Yield the events, and all cases of each seed with calls of its own."""
    yield "", ["clear kprobe_events"] + [
        f"must kprobe_events {definition}" for definition, _, _ in EVENTS.values()]
    for seed in seeds:
        world = World(random.Random(str(seed)))
        calls = [step for cpu, call in enumerate(world.calls())
                 for step in (f"cpu {cpu}", f"must /proc/kpt_target {call}")]
        for number in range(FILTERS + HISTS):
            event = world.rnd.choice(list(EVENTS))
            if number < FILTERS:
                text = world.filter(event)
                yield text, filter_steps(event, text, calls)
            else:
                text = world.hist(event)
                yield text, hist_steps(event, text, calls)
    yield "", ["clear kprobe_events"]


PARTS = {"E": "errno", "S": "shown", "O": "result"}
# What newer kernels have, and what tells that one has it.
NEWER = [(r"\.function ", "Function not found"), (r"CPUS\{", "Invalid cpulist"),
         (r"\.percent|\.graph", ".percent"), (r"nohitcount", "nohitcount"),
         (r"common_cpu", "common_cpu")]


def split(side):
    """Mend a mistake of the kernel's (docs/differences.md)."""
    for part, lines in side.items():
        side[part] = [line.replace("common_cpucommon_cpu", "common_cpu")
                      for line in lines]


def lacks(case, kernel):
    """Return what the kernel is too old to know that it refuses the case."""
    for pattern, word in NEWER:
        if case.kernel["errno"] != ["0"] and re.search(pattern, case.text) and \
                not kernel.has(word):
            return word
    return ""


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


def without_sign(line):
    """Return an entry with its sums as the kernel shows them."""
    return re.sub(r": *(-\d+)", lambda m: f": {int(m[1]) % (1 << 64):10}", line)


def meant(case):
    """Take entries away that sort keys do not tell apart, and negative sums."""
    own = [without_sign(line) for line in case.kptrace["result"]]
    if case.text.startswith("hist:") and own != case.kptrace["result"] and \
            sorted(own) == sorted(case.kernel["result"]):
        case.differs.discard("result")
        return ["the sum of a signed field"]
    if case.text.startswith("hist:") and \
            settle(case.text, case.kernel["result"]) == \
            settle(case.text, case.kptrace["result"]):
        case.differs.discard("result")
    return []


def summary(case):
    """Count filters that divide the calls, and what both refuse."""
    if case.kernel["errno"] != ["0"]:
        return ["cases are refused by both"]
    if case.text.startswith("hist:") or \
            not 0 < len(case.kernel["result"]) < CALLS:
        return []
    return ["filters let some calls pass"]
