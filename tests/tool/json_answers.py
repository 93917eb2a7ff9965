#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""json_answers.py FILE: each line that guest_json.sh has got is an object, and says
what is known to be right and what tools/answers.schema.json has. Prints what is wrong."""

import json
import pathlib
import sys

import jsonschema

answers = {}
name = None
for line in open(sys.argv[1], encoding='utf-8'):
    if line.startswith('== '):
        name = line[3:].strip()
        answers[name] = []
    elif name and name != 'end' and not line.startswith('kptrace: '):
        try:
            answers[name].append(json.loads(line))
        except ValueError as error:
            print(f'{name}: {error}: {line!r}')


def same(name, got, wanted):
    if got != wanted:
        print(f'{name}: {got!r}, not {wanted!r}')


def of(name, *keys):
    return [tuple(row.get(key) for key in keys) for row in answers.get(name, [])]


def unordered(rows):
    return sorted(rows, key=repr)


# Which of the schema's objects an answer has, if it is not called like that.
KINDS = {'trace': 'record', 'text': 'record', 'slower': 'record', 'no_latency': 'latency',
         'for_opens': 'opens', 'for_execs': 'execs', 'for_offcpu': 'stacks', 'offcpu': 'stacks',
         'graph_some': 'graph', 'log2': 'hist_range', 'buckets': 'hist_range',
         'hist': 'count', 'texts': 'count', 'interval': 'interval|count',
         'top': 'top_event|top_cpu|top_hist', 'run': 'opens', 'profile': 'stacks'}
NO_ANSWER = ('environment', 'end')
schema = json.loads((pathlib.Path(__file__).parents[2] / 'tools/answers.schema.json').read_text())
for name, rows in answers.items():
    if name in NO_ANSWER:
        continue
    kinds = KINDS.get(name, name).split('|') + ['incomplete']
    check = jsonschema.Draft202012Validator(
        {'$defs': schema['$defs'], 'anyOf': [{'$ref': f'#/$defs/{kind}'} for kind in kinds]})
    whole = jsonschema.Draft202012Validator(schema)
    for row in rows:
        if not check.is_valid(row) or not whole.is_valid(row):
            print(f'{name}: the schema has no such {"/".join(kinds)}: {row}')
# A broken object is none of them.
for kind in schema['$defs']:
    one = jsonschema.Draft202012Validator({'$defs': schema['$defs'], '$ref': f'#/$defs/{kind}'})
    if one.is_valid({'count': -1, 'buckets': 1, 'time': 'x', 'stack': 0}):
        print(f'the schema takes anything for {kind}')

same('end', 'end' in answers, True)
same('trace', of('trace', 'event', 'args'),
     [('two', {'b': 2, 'x': '0x2', 'no': None})] * 2)
same('stack', [row['stack'][:2] for row in answers['trace']],
     [['kpt_target_two', 'act_two']] * 2)
same('text', [row['args']['text'] for row in answers['text']], ['a string'])
same('count', unordered(of('count', 'function', 'module', 'count')),
     [('kpt_target_six', 'kpt_target', 7), ('kpt_target_two', 'kpt_target', 5)])
same('latency', of('latency', 'function', 'calls'), [('kpt_target_sleep', 10)])
latency = answers['latency'][0]
same('sum', latency['sum_ns'] >= 200e6, True)
same('buckets', sum(b['count'] for b in latency['buckets']), 10)
same('short', [b for b in latency['buckets'] if b['max'] < 20e6 and b['count']], [])
same('no latency', of('no_latency', 'calls', 'buckets'), [(0, [])])
same('slower', [row['args']['elapsed'] >= 150e6 for row in answers['slower']], [True])
same('stacks', sorted(row['count'] for row in answers['stacks']), [2, 4])
same('offcpu', sum(row['us'] for row in answers['offcpu']
                   if 'act_sleep' in row.get('stack', [])) > 190000, True)
same('environment', answers['environment'], [["it's", '3', 'a b', '']])
# The processes of kptrace that end it are not shown.
same('timer', [row for what in ('opens', 'execs', 'offcpu') for row in answers['for_' + what]
               if row.get('task') in ('sleep', 'kptrace', '<idle>')], [])
same('graph', of('graph', 'depth', 'function'),
     [(depth, 'kpt_target_recurse') for depth in (0, 1, 1, 0)])
same('graph of some', of('graph_some', 'depth', 'function'), [(0, 'kpt_target_two')] * 2)
same('times', ['elapsed_ns' in row for row in answers['graph']], [False, False, True, True])
same('leaks', sum(row['count'] for row in answers['leaks']), 1)
same('hist', sorted(of('hist', 'value', 'count')), [(-1, 1), (1, 3)])
same('log2', sorted(of('log2', 'min', 'max', 'count')),
     [(0, 1, 2), (2, 2, 1), (3, 4, 2), (5, 8, 3)])
same('buckets', sorted(of('buckets', 'min', 'max', 'count')), [(0, 3, 4), (4, 7, 4)])
same('texts', of('texts', 'value', 'count'), [('a string', 6)])
same('args', of('args', 'function'), [('vfs_read',)])
same('opens', [file for task, file in of('opens', 'task', 'file')
               if task == 'cat' and file.startswith('/no')], ['/no/su"ch', '/no\nfile'])
same('execs', ('/bin/echo', ['one "two', 'a\tb\\']) in of('execs', 'program', 'args'), True)
same('top', [row['hits'] for row in answers['top'] if row.get('event') == 'top/two'
             and 'hits' in row], [3])
same('top', [row['count'] for row in answers['top'] if 'trigger' in row], [3])
same('cpus', sum(row['entries'] for row in answers['top'] if 'cpu' in row), 3)
