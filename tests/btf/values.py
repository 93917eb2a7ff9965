#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""values.py define PROTOTYPES STRUCTS: a definition of an event for each function, in which
every argument and some members behind arguments are asked for twice: nX by name, hX by
register or place on the stack and by offset. Prototypes and offsets are those that
pfunct and pahole print, places are those of the AAPCS64.

values.py compare WANTED: read a trace; in every record nX has to be hX. There have to
be records of WANTED functions, and as many members.
"""
import random
import re
import sys
from collections import defaultdict

POINTER = "x64"
# What a type is printed as. Functions that take others, structures among them, are
# left out, as are members of others.
SCALARS = {
    "char": "u8", "bool": "u8", "_Bool": "u8",
    "int": "s32", "unsigned int": "u32", "long int": "s64", "long unsigned int": "u64",
    "short int": "s16", "short unsigned int": "u16", "unsigned char": "u8",
    "u8": "u8", "u16": "u16", "u32": "u32", "u64": "u64", "s32": "s32", "s64": "s64",
    "__u8": "u8", "__u16": "u16", "__u32": "u32", "__u64": "u64",
    "size_t": "u64", "ssize_t": "s64", "loff_t": "s64", "sector_t": "u64",
    "gfp_t": "u32", "umode_t": "u16", "pid_t": "s32", "dev_t": "u32",
}
PROTOTYPE = re.compile(r"^[\w *]*?(\w+)\((.*)\);$")
ARGUMENT = re.compile(r"^(.*?)\s*(\w+)$")
STRUCT = re.compile(r"^struct (\w+) \{$")
MEMBER = re.compile(r"^\t(\w[\w ]*\**)\s*\b(\w+);\s*/\*\s*(\d+)\s+\d+ \*/$")
BEHIND = re.compile(r"^(?:const )?struct (\w+)\s*\*$")


def shown(kind):
    """How an argument or a member of that type is printed; None if it is not known."""
    if kind.endswith("*"):
        return POINTER
    return SCALARS.get(kind.replace("const ", "").strip())


def structs(path):
    """Of each structure of one layout the members: (name, offset, type)."""
    layouts = defaultdict(set)
    name = None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if opened := STRUCT.match(line):
            name, members = opened.group(1), []
        elif name and line.startswith("}"):
            layouts[name].add(tuple(members))
            name = None
        elif name and (found := MEMBER.match(line)):
            kind = shown(found.group(1).strip())
            if kind:
                members.append((found.group(2), int(found.group(3)), kind))
    return {name: list(of.pop()) for name, of in layouts.items() if len(of) == 1}


def place(number):
    """The place of an argument of a function that takes no structures by value."""
    return f"%x{number}" if number < 8 else f"+{8 * (number - 8)}(%sp)"


def definition(event, function, arguments, members):
    """None if an argument is of a type that is not known."""
    pairs = []
    for number, (kind, name) in enumerate(arguments):
        if not shown(kind):
            return None
        pairs.append((name, f"{place(number)}:{shown(kind)}"))
        behind = BEHIND.match(kind)
        inside = members.get(behind.group(1), []) if behind else []
        for member, offset, of in random.sample(inside, min(2, len(inside))):
            pairs.append((f"{name}->{member}", f"+{offset}({place(number)}):{of}"))
    both = (f"n{i}={name} h{i}={hand}" for i, (name, hand) in enumerate(pairs))
    return f"p:v/{event} {function} {' '.join(both)}" if pairs else None


def define(prototypes, layouts):
    members = structs(layouts)
    functions = defaultdict(set)
    for line in open(prototypes, encoding="utf-8"):
        found = PROTOTYPE.match(line.strip())
        if found and "..." not in line and "(" not in found.group(2):
            arguments = [ARGUMENT.match(a.strip()) for a in found.group(2).split(",")]
            if all(arguments):
                functions[found.group(1)].add(tuple(a.groups() for a in arguments))
    lines = (definition(f"e{i}", name, next(iter(of)), members)
             for i, (name, of) in enumerate(functions.items()) if len(of) == 1)
    print("\n".join(line for line in lines if line))


def compare(wanted):
    """The members of one record are counted once for each function."""
    functions, members, bad = set(), 0, 0
    for line in sys.stdin:
        found = re.search(r": (e\d+): \((\w+)", line)
        if not found:
            continue
        values = dict(re.findall(r"\b([nh]\d+)=(\S+)", line))
        names = [key for key in values if key[0] == "n"]
        wrong = [key for key in names if values[key] != values.get("h" + key[1:])]
        if wrong:
            bad += 1
            print(f"{' '.join(wrong)}: {line.strip()}")
        if names and found.group(1) not in functions:
            functions.add(found.group(1))
            members += len(names)
    print(f"{len(functions)} functions, {members} values, {bad} records differ")
    return not bad and len(functions) >= wanted and members >= 2 * wanted


if sys.argv[1] == "define":
    random.seed(1)
    define(sys.argv[2], sys.argv[3])
else:
    sys.exit(not compare(int(sys.argv[2])))
