#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""pahole.py: of pahole's text each named member as "STRUCT MEMBER BIT WIDTH".

Members of anonymous structures and unions are those of the structure around them.
Structures of one name with several layouts are left out.
"""
import re
import sys
from collections import defaultdict

OPEN = re.compile(r"^struct (\w+) \{$")
NESTED = re.compile(r"^\t+.*\{$")
CLOSE = re.compile(r"^\t+\}(.*);(?:\s*/\*\s*(\d+)(?::\s*(\d+))?\s+\d+\s*\*/)?$")
END = re.compile(r"^\}")
MEMBER = re.compile(r"^\t+(.*);\s*/\*\s*(\d+)(?::\s*(\d+))?\s+\d+\s*\*/$")
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)|\bconst\b")
FUNCTION = re.compile(r"\(\s*\*+\s*(\w+)(?:\[\d*\])*\)\s*\(")
TYPE = re.compile(r"(?:struct|union) \w+$")
NAME = re.compile(r"(\w+)(?:\[\d*\])*(?::(\d+))?$")


def member(text, byte, bit):
    """(name, bit, width), or None if it has no name or place."""
    if byte is None:
        return None
    text = ATTRIBUTE.sub("", text).rstrip()
    function = FUNCTION.search(text)
    if function:
        return function.group(1), 8 * int(byte), 0
    match = NAME.search(text)
    if not match or match.start() == 0 or TYPE.match(text):
        return None
    width = int(match.group(2) or 0)
    return match.group(1), 8 * int(byte) + int(bit or 0), width


def main():
    found = defaultdict(set)
    name, stack, keeps = None, [], True
    for line in sys.stdin:
        line = line.rstrip("\n")
        if opened := OPEN.match(line):
            name, stack = opened.group(1), [[]]
        elif name is None:
            continue
        elif END.match(line):
            found[name].add(tuple(stack[0]))
            name = None
        elif NESTED.match(line):
            # pahole does not print the name of a constant structure.
            keeps = not line.startswith("\tconst")
            stack.append([])
        elif closed := CLOSE.match(line):
            inner = stack.pop()
            label = ATTRIBUTE.sub("", closed.group(1)).strip(" *")
            one = member(" " + label, *closed.groups()[1:])
            stack[-1] += [one] if one else inner if not label and keeps else []
        elif field := MEMBER.match(line):
            one = member(*field.groups())
            stack[-1] += [one] if one else []
    for name, layouts in found.items():
        if len(layouts) == 1:
            for field, bit, width in next(iter(layouts)):
                print(name, field, bit, width)


main()
