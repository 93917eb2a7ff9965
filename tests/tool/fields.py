#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fields.py FILE: the objects that tools/lines.awk makes of what guest_fields.sh has got have,
record for record, the values that are in the bytes of the rings. Prints what is wrong, and how
many events and records there were if that is too few."""

import base64
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parents[2] / 'tools'
SIZES = {'char': 1, 'u8': 1, '__u8': 1, 'bool': 1, 'u16': 2, '__u16': 2, '__be16': 2, 'short': 2,
         'u32': 4, '__u32': 4, '__be32': 4, 'int': 4, 'unsigned': 4, 'u64': 8, '__u64': 8, 'long': 8}
WANTED_EVENTS, WANTED_RECORDS = 60, 1000

Field = collections.namedtuple('Field', 'type name list offset size signed')


def parts(path):
    """The lines behind each "== NAME"."""
    found, name = {}, None
    for line in path.read_text(encoding='utf-8', errors='surrogateescape').splitlines():
        if line.startswith('== '):
            name = line[3:]
            found[name] = []
        elif name:
            found[name].append(line)
    return found


def formats_of(lines):
    """By their numbers: the names of events and their fields."""
    found = {}
    for line in lines:
        if line.startswith('name: '):
            name = line[6:]
        elif line.startswith('ID: '):
            fields = []
            found[int(line[4:])] = (name, fields)
        elif match := re.match(r'\tfield:(.*?)(\w+)(\[[^;]*\])?;\toffset:(\d+);\tsize:(\d+);'
                               r'\tsigned:(\d);', line):
            kind, field, of_list, offset, size, signed = match.groups()
            if not field.startswith('common_'):
                fields.append(Field(kind.strip(), field, of_list, int(offset), int(size),
                                    signed == '1'))
    return found


def records(pages):
    """The records of a ring, in their order."""
    for start in range(0, len(pages), 4096):
        at = start + 16
        end = at + (struct.unpack_from('<Q', pages, start + 8)[0] & 0xfffffff)
        while at < end:
            head, length = struct.unpack_from('<II', pages, at)
            kind = head & 31
            if kind == 0:
                yield pages[at + 8:at + 4 + length]
                at += 4 + length
            elif kind <= 28:
                yield pages[at + 4:at + 4 + 4 * kind]
                at += 4 + 4 * kind
            else:
                at += 4 + length if kind == 29 else 8


def text_of(data):
    return data.split(b'\0')[0].decode(errors='replace')


def numbers(data, size, signed):
    return [int.from_bytes(data[i:i + size], 'little', signed=signed)
            for i in range(0, len(data), size)]


def value_of(field, record):
    """What the object has to say."""
    data = record[field.offset:field.offset + field.size]
    if re.match('__(data|rel)_loc', field.type):
        loc = int.from_bytes(data, 'little')
        begin = (loc & 0xffff) + (field.offset + 4 if field.type.startswith('__rel') else 0)
        data = record[begin:begin + (loc >> 16)]
        return text_of(data) if 'char' in field.type else numbers(data, 1, False)
    if field.list and 'char' in field.type:
        return text_of(data)
    if not field.list:
        return int.from_bytes(data, 'little', signed=field.signed)
    return numbers(data, SIZES[field.type.split()[-1]], field.signed)


def is_right(field, got, wanted):
    """Of an address the object has the symbol if there is one."""
    if '*' not in field.type:
        return got == wanted
    return got == f'0x{wanted:x}' or re.match(r'[A-Za-z_].*\+0x[0-9a-f]+/0x[0-9a-f]+', got)


def main():
    got = parts(pathlib.Path(sys.argv[1]))
    if 'end' not in got:
        print('\n'.join(pathlib.Path(sys.argv[1]).read_text(errors='replace').splitlines()[-20:]))
        return
    formats = formats_of(got['format'])
    text = '\n'.join(got['text']) + '\n'
    files = [word for name in ('record', 'json', 'lines') for word in ('-f', f'{name}.awk')]
    said = subprocess.run(['awk', '-v', 'json=1', *files], cwd=TOOLS, env={'LC_ALL': 'C'},
                          input=text.encode(errors='surrogateescape'), capture_output=True,
                          check=True).stdout
    objects = collections.defaultdict(list)
    for line in said.decode().splitlines():
        objects[json.loads(line)['cpu']].append(json.loads(line))
    events = set()
    nr = 0
    for name in filter(lambda name: name.startswith('raw '), got):
        cpu = int(name[4:])
        ring = list(records(base64.b64decode(''.join(got[name]))))
        if len(ring) != len(objects[cpu]):
            print(f'cpu {cpu}: {len(objects[cpu])} objects of {len(ring)} records')
        for record, shown in zip(ring, objects[cpu]):
            event, fields = formats[int.from_bytes(record[:2], 'little')]
            wanted = {field.name: value_of(field, record) for field in fields}
            events.add(event)
            nr += 1
            wrong = [f'{field.name}: {shown["args"].get(field.name)!r}, not {wanted[field.name]!r}'
                     for field in fields if field.name not in shown['args'] or
                     not is_right(field, shown['args'][field.name], wanted[field.name])]
            if event != shown['event'] or len(shown['args']) != len(wanted) or wrong:
                print(f'{event}, {shown}: {"; ".join(wrong)}')
    if len(events) < WANTED_EVENTS or nr < WANTED_RECORDS:
        print(f'only {nr} records of {len(events)} events')


main()
