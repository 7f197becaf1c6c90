#!/usr/bin/python3
"""Reads every #include of the tree and fails on one that the table below does not allow, and on
files that include each other in a circle.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
SUFFIXES = {".c", ".cc", ".cpp", ".h", ".hh", ".inc"}
ENGINE = "subprojects/tfrc"
PLUGIN = "gst/tfrc"

# Rooms, and what they may include besides themselves: folders with all that is in them, and
# kinds of headers from outside of the tree. The room of a file is the longest folder that it is in.
TABLE = [row.format(engine=ENGINE, plugin=PLUGIN).split("|") for row in (
    "{engine}/include/tfrc {engine}/src/core        | {engine}/include/tfrc C",
    "{engine}/src/sender {engine}/src/receiver      | {engine}/include/tfrc {engine}/src/core C",
    "{engine}/include/tfrcadapt {engine}/adapt      | {engine}/include C",
    "{engine}                                       | {engine} C system",
    "{plugin}/base {plugin}/time {plugin}/rtcp {plugin}/codec | {engine}/include {plugin}/base C system GStreamer",
    "{plugin}/filter    | {engine}/include {plugin}/base {plugin}/time {plugin}/rtcp C system GStreamer",
    "{plugin}/transport | {engine}/include {plugin} C system GStreamer",
    "gst/metrics                                    | C system GStreamer libsoup",
    "tests/lab                                      | {engine}/include C system ns-3",
    "gst tests examples                             | {engine}/include gst examples C system GStreamer",
)]
ALLOWED = {room: allowed.split() for rooms, allowed in TABLE for room in rooms.split()}

# The kinds; the first that matches. "C" is what needs no clock, socket, thread, lock, allocation
# or stream: the engine has none of these.
OUTSIDE = [
    ("GStreamer", r"(gst|gio|gobject)/|glib|gmodule"),
    ("libsoup", r"libsoup/"),
    ("ns-3", r"ns3/"),
    ("C", r"(assert|float|inttypes|limits|math|stdbool|stddef|stdint|string)\.h$"),
    ("system", r""),
]

# The folders that the compilers search (-I).
SEARCHED = [f"{ENGINE}/include", f"{ENGINE}/src", f"{ENGINE}/adapt", "gst/tfrc", "gst"]


def is_in(path, folder):
    return path.startswith(folder + "/")


def get_room(path):
    return max((room for room in ALLOWED if is_in(path, room)), key=len, default=None)


def find(path, quote, name, tree):
    """The file of the tree that an include means, or None when it is outside."""
    here = [posixpath.dirname(path)] if quote == '"' else []
    candidates = (posixpath.normpath(posixpath.join(folder, name)) for folder in here + SEARCHED)
    return next((found for found in candidates if found in tree), None)


def wrong_arrows(path, text, tree):
    room = get_room(path)
    if room is None:
        yield f"{path}: is in no room"
        return
    for quote, name in INCLUDE.findall(text):
        found = find(path, quote, name, tree)
        if found:
            right = get_room(found) == room or any(is_in(found, folder) for folder in ALLOWED[room])
        elif name.startswith("."):
            right = False
        elif quote == '"' and not re.match("(gst|ns3)/", name):
            continue        # made by the build
        else:
            right = next(kind for kind, names in OUTSIDE if re.match(names, name)) in ALLOWED[room]
        if not right:
            yield f"{path}: {room} may not include {found or name}"


def circles(files):
    """Files that include each other, directly or through others, each circle once."""
    includes = {path: [found for quote, name in INCLUDE.findall(text)
                       if (found := find(path, quote, name, files)) and found != path]
                for path, text in files.items()}
    done = set()

    def walk(path, way):
        if path in way:
            yield "a circle: " + " -> ".join(way[way.index(path):] + [path])
        elif path not in done:
            for found in includes[path]:
                yield from walk(found, way + [path])
            done.add(path)

    for path in files:
        yield from walk(path, [])


def judge(files):
    return [wrong for path, text in files.items() for wrong in wrong_arrows(path, text, files)] + list(circles(files))


def self_test():
    """The check can fail: includes that must be seen as wrong, and some that must not."""
    headers = ("gst/tfrc/transport/sink.h", "gst/tfrc/rtcp/session.h", "gst/tfrc/filter/send.h",
               f"{ENGINE}/src/core/gap.h", f"{ENGINE}/src/sender/pacer.h",
               f"{ENGINE}/src/receiver/history.h", f"{ENGINE}/adapt/wire-rate-budget.h",
               f"{ENGINE}/include/tfrc/sender.h", f"{ENGINE}/include/tfrcadapt/adapt.h", "tests/check/call.h")
    wrong = [
        ("gst/tfrc/codec/bin.c", f'#include "../../../{ENGINE}/src/sender/pacer.h"'),
        ("gst/tfrc/codec/bin.c", "#include <sender/pacer.h>"),
        ("gst/tfrc/codec/bin.c", "#include <wire-rate-budget.h>"),
        ("gst/tfrc/codec/bin.c", "#include <ns3/core-module.h>"),
        ("gst/tfrc/codec/bin.c", '#include "transport/sink.h"'),
        ("gst/tfrc/filter/send.c", '#include "../transport/sink.h"'),
        ("gst/tfrc/base/caps.c", '#include "rtcp/session.h"'),
        ("gst/tfrc/codec/bin.c", '#include "filter/send.h"'),
        (f"{ENGINE}/src/sender/pacer.c", "#include <glib.h>"),
        (f"{ENGINE}/src/sender/pacer.c", "  #  include <stdlib.h>"),
        (f"{ENGINE}/src/sender/pacer.c", "#include <time.h>"),
        (f"{ENGINE}/src/sender/pacer.c", '#include "../receiver/history.h"'),
        (f"{ENGINE}/src/receiver/history.c", "#include <sender/pacer.h>"),
        (f"{ENGINE}/src/receiver/history.c", "#include <tfrcadapt/adapt.h>"),
        (f"{ENGINE}/src/core/gap.c", '#include "../sender/pacer.h"'),
        (f"{ENGINE}/include/tfrc/sender.h", '#include "../../src/core/gap.h"'),
        (f"{ENGINE}/include/tfrc/sender.h", "#include <tfrcadapt/adapt.h>"),
        (f"{ENGINE}/adapt/wire-rate-budget.c", '#include "../src/core/gap.h"'),
        (f"{ENGINE}/adapt/wire-rate-budget.c", "#include <stdio.h>"),
        (f"{ENGINE}/tests/test-pacer.c", "#include <gst/gst.h>"),
        ("gst/metrics/server.c", '#include "transport/sink.h"'),
        ("gst/tfrc/codec/bin.c", "#include <libsoup/soup.h>"),
        ("tests/lab/flow.cc", "#include <gst/gst.h>"),
        ("tests/lab/flow.cc", '#include "../check/call.h"'),
        ("tests/lab/flow.cc", '#include "../../subprojects/tfrc/src/sender/pacer.h"'),
        ("examples/path.c", "#include <sender/pacer.h>"),
        ("elsewhere/path.c", ""),
    ]
    right = [
        ("gst/tfrc/transport/sink.c", '#include "transport/sink.h"\n#include "rtcp/session.h"\n#include <gst/gst.h>'),
        ("gst/tfrc/transport/sink.c", '#include "filter/send.h"'),
        ("gst/tfrc/filter/send.c", "#include <tfrc/sender.h>\n#include <gst/gst.h>"),
        ("gst/tfrc/plugin.c", '#include "transport/sink.h"\n#include "filter/send.h"'),
        ("gst/metrics/server.c", "#include <libsoup/soup.h>\n#include <gst/gst.h>"),
        (f"{ENGINE}/src/sender/pacer.c", '#include "pacer.h"\n#include "../core/gap.h"\n#include <math.h>'),
        (f"{ENGINE}/adapt/wire-rate-budget.c",
         '#include "wire-rate-budget.h"\n#include <tfrc/sender.h>\n#include <tfrcadapt/adapt.h>'),
        (f"{ENGINE}/tests/test-pacer.c", '#include "sender/pacer.h"\n#include <stdio.h>'),
        ("tests/lab/flow.cc", "#include <ns3/core-module.h>\n#include <tfrc/sender.h>"),
    ]
    circle = {"gst/tfrc/a.h": '#include "b.h"', "gst/tfrc/b.h": '#include "c.h"', "gst/tfrc/c.h": "#include <a.h>"}
    line = {"gst/tfrc/a.h": '#include "b.h"\n#include "c.h"', "gst/tfrc/b.h": '#include "c.h"', "gst/tfrc/c.h": ""}
    tree = dict.fromkeys(headers, "")
    return ([f"not seen as wrong: {path}: {text}" for path, text in wrong if not judge({**tree, path: text})]
            + [f"seen as wrong: {found}" for path, text in right for found in judge({**tree, path: text})]
            + ([] if judge(circle) else ["a circle is not seen"]) + [f"seen as one: {found}" for found in judge(line)])


def main():
    files = {}
    for top in (ENGINE, "gst", "tests", "examples"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                files[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
    failures = self_test() + judge(files)
    includes = sum(len(INCLUDE.findall(text)) for text in files.values())
    if includes < 20:
        failures.append(f"only {includes} includes read below {ROOT}")
    print("\n".join(failures + [f"{includes} includes in {len(files)} files, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
