#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""combine.py [--kernel NAME] [--build DIR] [--seed N] [--seeds N] [--number N] [--all]:
no two features together may cost a hit more than their two prices plus 20.

The price of a feature is what it adds to a hit of an event of two registers, when nothing
else is special; it is measured in the same boot. What two features multiply is counted, see
predict(). Then N (40) random combinations are, and
those printed that cost more than 20 instructions above the sum of their prices: with
--all, each of them. The seed is a new one if none is given; it is printed, and gives the
same combinations again. With --seeds, so many seeds from that one on are tried in one boot.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(TOP, "tests", "bench")
TOLERATED = 20
# What a stub costs that finds out that nothing is to be recorded.
STUB = 15
PLACE = "kpt_target:kpt_target_string"
OTHER = f"p:bench/f {PLACE} a=%x0 b=%x1"

# What a combination has at most one of: name -> {part of the case: text}.
FEATURES = {
    "place": {
        "return, address replaced": {"place": "rhook"},
    },
    "argument": {
        "six registers": {"args": "%x2 %x3 %x4 %x5"},
        "memory": {"args": "m=+0(%x0)"},
        "two reads": {"args": "m=+0(%x0) n=+0(%x0):u32"},
        "string": {"args": "s=+0(%x0):string"},
        "comm": {"args": "$comm"},
        "constant, stack": {"args": "\\5 $stack1"},
        "array": {"args": "y=+0(%x0):u8[4]"},
        "bits": {"args": "y=%x0:b4@4/64"},
    },
    "filter": {
        "register accepts": {"filter": "a > 1"},
        "register refuses": {"filter": "a == 1"},
        "pid accepts": {"filter": "common_pid != 1"},
        "pid refuses": {"filter": "common_pid == 1"},
        "comm accepts": {"filter": 'comm == "sh"'},
        "comm refuses": {"filter": 'comm == "xx"'},
        "two registers accept": {"filter": "a > 1 && b != 12345"},
        "memory accepts": {"args": "z=+0(%x0)", "filter": "z != 12345"},
        "memory refuses": {"args": "z=+0(%x0)", "filter": "z == 12345"},
    },
    "event": {
        "event": {"events": OTHER},
        "two events": {"events": f"{OTHER}; p:bench/g {PLACE} a=%x1 b=%x0"},
        "event, its filter accepts":
            {"events": OTHER, "do": "echo 'a > 1' >events/bench/f/filter"},
        "event, its filter refuses":
            {"events": OTHER, "do": "echo 'a == 1' >events/bench/f/filter"},
        "event on it": {"events": "e:bench/x bench.e c=$a"},
        "event on it, of a string":
            {"args": "x=+0(%x0):string", "events": "e:bench/x bench.e c=$x:string"},
    },
    "instance": {
        "instance": {"do": "instances 1"},
        "two instances": {"do": "instances 2"},
        "instance, its filter refuses": {
            "do": "instances 1; echo a == 1 >instances/bench1/events/bench/e/filter"},
        "instance, clock mono": {"do": "instances 1; echo mono >instances/bench1/trace_clock"},
        "instance, another task": {"do": "instances 1; echo 1 >instances/bench1/set_event_pid"},
    },
    "trigger": {
        "traceoff refused": {"do": "trigger 'traceoff if a == 1'"},
        "stacktrace refused": {"do": "trigger 'stacktrace if a == 1'"},
        "hist": {"do": "trigger hist:keys=a"},
        "hist refused": {"do": "trigger 'hist:keys=a if a == 1'"},
        "hist accepted": {"do": "trigger 'hist:keys=a if a > 1'"},
        "hist log2": {"do": "trigger hist:keys=a.log2"},
        "hist of two keys": {"do": "trigger hist:keys=a,b"},
        "two hists": {"do": "trigger hist:keys=a; trigger hist:keys=b"},
        "hist of comm": {"do": "trigger hist:keys=common_comm"},
        "hist of values": {"do": "trigger 'hist:keys=a:vals=b,a'"},
    },
    "limit": {"over a limit": {"do": "echo 1/h >events/bench/e/limit"}},
    "clock": {
        "clock mono": {"do": "echo mono >trace_clock"},
        "clock unordered": {"do": "echo unordered >trace_clock"},
        "clock counter": {"do": "echo counter >trace_clock"},
    },
    "tasks": {
        "this task": {"do": "sh -c 'echo $PPID' >set_event_pid"},
        "another task": {"do": "echo 1 >set_event_pid"},
    },
    "buffer": {
        "tracing_on 0": {"do": "echo 0 >tracing_on"},
        "no room": {"do": "no_room"},
    },
}

# Events at the place besides e, and rings besides the first one.
EVENTS = {"event": 1, "two events": 2, "event, its filter accepts": 1,
          "event, its filter refuses": 1}
ON_IT = ("event on it", "event on it, of a string")
RINGS = {"instance": 1, "two instances": 2, "instance, clock mono": 1}
# What wants a record of e that no ring gets; and what tells the price of that.
WANTING = ("hist", "hist accepted", "hist log2", "hist of two keys", "two hists",
           "hist of comm", "hist of values") + ON_IT
ALONE = {"do": "trigger hist:keys=a; echo 0 >events/bench/e/enable"}
# What two features cost besides their prices, and others have, too.
MORE = {
    "apart": [("filter", "pid accepts"), ("event", "event")],
    "string": [("argument", "string"), ("instance", "instance")],
}
# What keeps the record of e, or those of all events, out of the first ring.
REFUSING = ("register refuses", "pid refuses", "comm refuses", "memory refuses", "over a limit")
STOPPING = ("another task", "tracing_on 0", "no room")


def is_alone(pair):
    """Is the record of e not made at once with those of others?"""
    return pair[0] in ("filter", "trigger", "limit") or "string" in pair[1]


def predict(features, plain, price, more):
    """The price of all features together.

    What keeps a record out of the ring can do that only once: of several the dearest counts.
    The first record of a hit is dearer than others, so if it is not made in the first ring
    the price of another one is that of the first one. So is that of an event whose filter has
    refused it in the first ring: there is nothing to copy. A record that is lost as there is no
    room has asked for all that others ask for. A histogram has a record made that is
    in no ring; the price of that is that of one alone, of an event that is not enabled. And
    each event has a record in each ring. Records that are not made at once with that of e are a
    step of their own, and copied to another ring by themselves, as the first one there is. With
    the clock counter each record has a time of its own, and is such a step. An event on
    the event has records in each ring, too, and each string is copied there.
    """
    names = [feature for _, feature in features]
    out = [pair for pair in features if pair[1] in REFUSING + STOPPING[:2]]
    total = plain + sum(price[pair] for pair in features if pair not in out)
    total += max((price[pair] for pair in out), default=0)
    if out and any(name in WANTING for name in names):
        total += more["aside"]
    events = sum(EVENTS.get(name, 0) for name in names)
    rings = sum(RINGS.get(name, 0) for name in names)
    record = price["event", "event"]
    copy = price["instance", "instance"]
    total += events * rings * record
    on_it = sum(price["event", name] for name in names if name in ON_IT)
    total += rings * on_it
    # There the record of e is made for the event on it alone.
    if on_it and "instance, its filter refuses" in names:
        total += more["aside"] + on_it
    if on_it and "instance, another task" in names:
        total += more["aside"]
    total += rings * more["string"] * sum("string" in name for name in names)
    if "event, its filter accepts" in names:
        total += rings * (price["event", "event, its filter accepts"] - record)
    # There the first record of a ring is that of another event.
    if "event, its filter refuses" in names:
        total += rings * (copy - record)
    elif "clock counter" in names:
        total += events * rings * (copy - record)
        total += ((1 + events) * (1 + rings) - 1) * price["clock", "clock counter"]
        total += events * more["apart"]
    elif events and any(is_alone(pair) for pair in features):
        total += rings * (copy - record)
        if "event, its filter accepts" not in names:
            total += more["apart"]
    if "instance, its filter refuses" in names and events:
        total += copy + (events - 1) * record
        rings += 1
    if "event, its filter refuses" in names and rings:
        total += plain - STUB - copy
    stopped = any(name in STOPPING for name in names)
    refused = any(name in REFUSING for name in names)
    if refused and events and not any(name in STOPPING[:2] for name in names):
        total += plain - STUB - record
    elif (refused or stopped) and rings:
        total += plain - STUB - copy
    return total


def case(name, features, *more):
    """The line of a case."""
    parts = {"place": [], "args": [], "filter": [], "events": [], "do": []}
    for has in [FEATURES[kind][feature] for kind, feature in features] + list(more):
        for part, text in has.items():
            parts[part].append(text)
    place = parts["place"][0] if parts["place"] else "p"
    args = " ".join(["a=%x0 b=%x1"] + parts["args"])
    if place == "rhook":
        args = re.sub(r"%x(\d)", lambda m: f"$arg{int(m[1]) + 1}", args)
    define = "; ".join([f"{place}:bench/e {PLACE} {args}"] + parts["events"])
    do = []
    if parts["filter"]:
        do.append(f"echo '{parts['filter'][0]}' >events/bench/e/filter")
    # Lists of tasks last: the shell that makes them is not in them.
    do += parts["do"]
    return f"{name} | string | {define} | | do {'; '.join(do) or ':'}"


def measure(kernel, build, lines):
    """Returns what a hit of each case costs."""
    with tempfile.TemporaryDirectory() as folder:
        bench = os.path.join(folder, "bench")
        shutil.copytree(BENCH, bench)
        with open(os.path.join(bench, "cases"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        out = subprocess.run(
            [os.path.join(TOP, "tests", "qemu", "run"), "--kernel", kernel, "--build",
             build, "--no-insmod", "--smp", "1", "--timeout", "1800",
             "--add", f"{bench}:kpt/bench", "--qemu", "-icount shift=0,sleep=off",
             "--", "sh", "/kpt/bench/guest.sh", "limits", "''"],
            stdout=subprocess.PIPE, text=True, check=False)
    words = [line.split("|") for line in out.stdout.splitlines()]
    wrong = [word for word in words if word[0] == "wrong"]
    if out.returncode or wrong:
        sys.exit(out.stdout)
    base = [int(word[2]) for word in words if word[0] == "base"][0]
    return {word[1]: (int(word[3]) - base) / 1000 for word in words if word[0] == "hit"}


def draw(number, seed):
    """Random combinations: of two features up to one of each kind."""
    dice = random.Random(seed)
    drawn = []
    while len(drawn) < number:
        kinds = sorted(dice.sample(list(FEATURES), dice.choice((2, 2, 2, 3, 3, 4, 5))),
                       key=list(FEATURES).index)
        features = [(kind, dice.choice(list(FEATURES[kind]))) for kind in kinds]
        # Other events are at the entry, so they have a hit of their own.
        if "place" in kinds and any(name in EVENTS for _, name in features):
            continue
        if features not in drawn:
            drawn.append(features)
    return drawn


def main():
    """Measure, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", default="6.1")
    parser.add_argument("--build")
    parser.add_argument("--seed", type=int, default=random.randrange(10000))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--number", type=int, default=40)
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    seeds = range(args.seed, args.seed + args.seeds)
    drawn = {seed: draw(args.number, seed) for seed in seeds}
    lines = [case("plain", []), case("alone", [], ALONE)]
    lines += [case(name, pairs) for name, pairs in MORE.items()]
    lines += [case(f"{kind}: {feature}", [(kind, feature)])
              for kind, features in FEATURES.items() for feature in features]
    lines += [case(f"combination {seed}/{n}", features)
              for seed in seeds for n, features in enumerate(drawn[seed])]
    cost = measure(args.kernel, args.build or f"{TOP}/build/{args.kernel}", lines)
    plain = cost["plain"]
    price = {(kind, feature): cost[f"{kind}: {feature}"] - plain
             for kind, features in FEATURES.items() for feature in features}
    more = {name: cost[name] - plain - sum(price[pair] for pair in pairs)
            for name, pairs in MORE.items()}
    more["aside"] = cost["alone"] - STUB - price["trigger", "hist"]
    print(f"plain {plain:.0f}; prices:")
    for (kind, feature), is_price in price.items():
        print(f"{is_price:7.0f}  {feature}")
    print(f"{more['aside']:7.0f}  a record that no ring gets\n"
          f"{more['apart']:7.0f}  a record that is not made at once with others\n"
          f"{more['string']:7.0f}  a string that is copied\n\ncost, above its parts:")
    for seed in seeds:
        above = 0
        for n, features in enumerate(drawn[seed]):
            is_cost = cost[f"combination {seed}/{n}"]
            over = is_cost - predict(features, plain, price, more)
            above += over > TOLERATED
            if over > TOLERATED or args.all:
                print(f"{is_cost:7.0f} {over:6.0f}  " +
                      " + ".join(feature for _, feature in features))
        print(f"seed {seed}: {above} of {args.number} combinations cost more than the sum of "
              f"their prices and {TOLERATED}")


main()
