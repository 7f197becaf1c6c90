#!/usr/bin/env python3
# vectors.json as C: usage vectors.py vectors.json vectors.h
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every top-level entry NAME of the JSON becomes `v_NAME`.

A list of objects is an array of structs (N_OF gives its length), an object is one
struct. Within a struct a list FIELD is a pointer with its length in n_FIELD, a list
of lists holds structs with the fields _0, _1, ... Every number is a double; a key
that is absent or null is NAN, NULL or false, and so is a word among numbers. A key
that C reserves has a `_` added (`short_`).
"""

import json
import re
import sys

RESERVED = {'short', 'long', 'int', 'double', 'float', 'char', 'default', 'case', 'union'}


def ident(key):
    key = re.sub(r'\W', '_', str(key))
    return key + '_' if key in RESERVED else ('_' + key if key[0].isdigit() else key)


class Kind:
    """The C type that holds all of a set of JSON values."""

    def __init__(self, values, name):
        values = [tuple_to_dict(v) for v in values if v is not None]
        self.name = name
        if not values:
            self.tag = 'number'
        elif all(isinstance(v, bool) for v in values):
            self.tag = 'bool'
        elif all(isinstance(v, str) for v in values):
            self.tag = 'string'
        elif all(isinstance(v, (int, float, str)) for v in values):
            self.tag = 'number'
        elif all(isinstance(v, dict) for v in values):
            self.tag = 'struct'
            keys = list(dict.fromkeys(k for v in values for k in v))
            self.fields = {k: Kind([v.get(k) for v in values], f'{name}_{ident(k)}') for k in keys}
        elif all(isinstance(v, list) for v in values):
            self.tag = 'list'
            self.item = Kind([i for v in values for i in v], name)
        else:
            raise SystemExit(f'{name}: values of different types: {values[:3]}')

    def ctype(self):
        return {'bool': 'bool ', 'number': 'double ', 'string': 'const char *',
                'struct': f'struct {self.name} '}.get(self.tag) or f'const {self.item.ctype()}*'

    def declare(self, out):
        if self.tag == 'list':
            self.item.declare(out)
        if self.tag != 'struct':
            return
        for kind in self.fields.values():
            kind.declare(out)
        out.append(f'struct {self.name}\n{{')
        for key, kind in self.fields.items():
            out.append(f'  {kind.ctype()}{ident(key)};')
            if kind.tag == 'list':
                out.append(f'  size_t n_{ident(key)};')
        out.append('};')

    def value(self, v):
        v = tuple_to_dict(v)
        if self.tag == 'number':
            return '(double) NAN' if v is None or isinstance(v, str) else repr(float(v))
        if self.tag == 'bool':
            return 'true' if v else 'false'
        if self.tag == 'string':
            return 'NULL' if v is None else json.dumps(v)
        if self.tag == 'list':
            if not v:
                return 'NULL, 0'
            items = ', '.join(self.item.value(i) for i in v)
            return f'(const {self.item.ctype().rstrip()}[]) {{ {items} }}, {len(v)}'
        v = v or {}
        return '{ ' + ', '.join(k.value(v.get(key)) for key, k in self.fields.items()) + ' }'


def tuple_to_dict(v):
    """An inner list that mixes types is a tuple."""
    if isinstance(v, list) and len({type(i) in (int, float) or type(i) for i in v if i is not None}) > 1:
        return {str(i): x for i, x in enumerate(v)}
    return v


def main(source, target):
    with open(source, encoding='utf-8') as f:
        vectors = json.load(f)
    out = ['/* made from vectors.json by vectors.py */', '#ifndef TFRC_VECTORS_H', '#define TFRC_VECTORS_H',
           '#include <math.h>', '#include <stdbool.h>', '#include <stddef.h>']
    for key, v in vectors.items():
        if key == 'meta':
            continue
        name = f'v_{ident(key)}'
        kind = Kind([v], name)
        kind.declare(out)
        unused = '__attribute__ ((unused)) static const '
        if kind.tag == 'list':
            body = ',\n  '.join(kind.item.value(i) for i in v)
            out.append(f'{unused}{kind.item.ctype()}{name}[] = {{\n  {body}\n}};')
        else:
            out.append(f'{unused}{kind.ctype()}{name} = {kind.value(v)};')
    out.append('#endif')
    with open(target, 'w', encoding='utf-8') as f:
        f.write('\n'.join(out) + '\n')


main(*sys.argv[1:])
