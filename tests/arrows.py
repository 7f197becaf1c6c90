#!/usr/bin/python3
"""Reads every #include of the tree and fails on an arrow between rooms that the
table below does not have.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import fnmatch
import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
SUFFIXES = {".c", ".cc", ".cpp", ".h", ".hh", ".inc"}

# The first pattern that fits a path names its room.
ROOMS = [
    ("subprojects/tfrc/include/*", "engine"),
    ("subprojects/tfrc/src/*", "engine inside"),
    ("subprojects/tfrc/tests/*", "engine tests"),
    ("subprojects/tfrc/*", "engine tests"),
    ("gst/tfrc/plugin.c", "plugin"),
    # What both halves of the plugin speak: enumerations, the rate event, what lies ahead, a
    # packet's first bytes.
    ("gst/tfrc/gsttfrcenums.*", "common"),
    ("gst/tfrc/gsttfrchead.*", "common"),
    ("gst/tfrc/gsttfrcrate.*", "common"),
    ("gst/tfrc/gsttfrcahead.*", "common"),
    ("gst/tfrc/gstrtp*", "filters"),
    *((f"gst/tfrc/gsttfrc{name}.*", "filters") for name in (
        "alarm", "app", "audit", "backlog", "caps", "clock", "find", "flow", "heap", "limits", "link*",
        "meter", "offer", "packet", "peer", "queue", "readings", "reduced", "rtcp", "sched", "session",
        "settings", "shortcut", "spacing", "stats", "sync", "teller", "warnings")),
    ("gst/*", "bins"),
    ("tests/lab/*", "lab"),
    ("tests/*", "tests"),
    ("examples/*", "examples"),
]

# What is outside of the tree. The engine has no clock, socket, thread, lock,
# allocation or stream, so it has no header of one either.
OUTSIDE = [
    ("gst/*", "GStreamer"), ("glib*", "GStreamer"), ("gio/*", "GStreamer"), ("gobject/*", "GStreamer"),
    ("gmodule*", "GStreamer"), ("ns3/*", "ns-3"),
    ("assert.h", "C"), ("float.h", "C"), ("limits.h", "C"), ("math.h", "C"), ("stdbool.h", "C"),
    ("stddef.h", "C"), ("stdint.h", "C"), ("string.h", "C"), ("inttypes.h", "C"),
    ("*", "system"),
]

# An arrow: the room on the left may include those on the right, and itself.
ARROWS = {
    "engine": {"C"},
    "engine inside": {"engine", "C"},
    "engine tests": {"engine", "engine inside", "C", "system"},
    "common": {"engine", "C", "system", "GStreamer"},
    "filters": {"engine", "common", "C", "system", "GStreamer"},
    # Bins reach filters by factory name. The engine serves them its pure
    # functions: which operating point a voice should take.
    "bins": {"engine", "common", "C", "system", "GStreamer"},
    "plugin": {"common", "filters", "bins", "C", "system", "GStreamer"},
    "tests": {"engine", "common", "filters", "bins", "examples", "C", "system", "GStreamer"},
    # A phone may ask the engine what a listener hears.
    "examples": {"engine", "common", "C", "system", "GStreamer"},
    "lab": {"engine", "C", "system", "ns-3"},
}

# Found by the compiler's -I, as they are written in the sources.
INCLUDE_DIRS = ["subprojects/tfrc/include", "subprojects/tfrc/src", "gst/tfrc", "gst"]


def first(table, name):
    return next((room for pattern, room in table if fnmatch.fnmatch(name, pattern)), None)


def target(path, quote, name, tree):
    """The path in the tree that an include means, or None when it is outside."""
    here = [posixpath.dirname(path)] if quote == '"' else []
    for folder in here + INCLUDE_DIRS:
        found = posixpath.normpath(posixpath.join(folder, name))
        if found in tree:
            return found
    return None


def wrong_arrows(path, text, tree):
    room = first(ROOMS, path)
    for quote, name in INCLUDE.findall(text):
        found = target(path, quote, name, tree)
        if found:
            other = first(ROOMS, found)
        elif name.startswith("."):
            other = f"nothing in the tree ({name})"
        elif quote == '"' and not name.startswith(("gst/", "ns3/")):
            continue        # made by the build
        else:
            other = first(OUTSIDE, name)
        if other != room and other not in ARROWS.get(room, set()):
            yield f"{path}: {room} -> {other}: #include {name}"


def self_test():
    """The check can fail: arrows that must be found, and some that must not."""
    tree = {"gst/tfrc/gsttfrcsink.h", "gst/tfrc/gstrtptfrcsend.h", "subprojects/tfrc/src/pacer.h",
            "subprojects/tfrc/include/tfrc/sender.h", "gst/tfrc/gsttfrcrate.h"}
    wrong = [
        ("gst/tfrc/gsttfrcsink.c", '#include "gstrtptfrcsend.h"'),
        ("gst/tfrc/gstrtptfrcsend.c", '#include "gsttfrcsink.h"'),
        ("gst/tfrc/gstrtptfrcsend.c", '#include "../../subprojects/tfrc/src/pacer.h"'),
        ("gst/tfrc/gstrtptfrcsend.c", "#include <pacer.h>"),
        ("subprojects/tfrc/src/pacer.c", "#include <glib.h>"),
        ("subprojects/tfrc/src/pacer.c", "  #  include <stdlib.h>"),
        ("subprojects/tfrc/src/pacer.c", "#include <time.h>"),
        ("subprojects/tfrc/include/tfrc/sender.h", '#include "../../src/pacer.h"'),
        ("subprojects/tfrc/tests/test-pacer.c", "#include <gst/gst.h>"),
        ("tests/lab/flow.cc", "#include <gst/gst.h>"),
        ("tests/lab/flow.cc", '#include "../../subprojects/tfrc/src/pacer.h"'),
        ("gst/tfrc/gsttfrcsink.c", "#include <ns3/core-module.h>"),
        ("examples/path.c", "#include <pacer.h>"),
    ]
    right = [
        ("gst/tfrc/plugin.c", '#include "gsttfrcsink.h"\n#include "gstrtptfrcsend.h"'),
        ("gst/tfrc/gstrtptfrcsend.c", "#include <tfrc/sender.h>\n#include <gst/gst.h>"),
        ("gst/tfrc/gsttfrcsink.c", '#include "gsttfrcrate.h"'),
        ("subprojects/tfrc/src/pacer.c", '#include "pacer.h"\n#include <math.h>'),
        ("subprojects/tfrc/tests/test-pacer.c", '#include "pacer.h"\n#include <stdio.h>'),
        ("tests/lab/flow.cc", "#include <ns3/core-module.h>\n#include <tfrc/sender.h>"),
    ]
    return ([f"not seen as wrong: {p}: {t}" for p, t in wrong if not list(wrong_arrows(p, t, tree))]
            + [f"seen as wrong: {w}" for p, t in right for w in wrong_arrows(p, t, tree)])


def main():
    files = {}
    for top in ("subprojects/tfrc", "gst", "tests", "examples"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                files[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8", errors="replace")
    failures = self_test()
    for path, text in files.items():
        failures += wrong_arrows(path, text, files)
    includes = sum(len(INCLUDE.findall(text)) for text in files.values())
    if includes < 20:
        failures.append(f"only {includes} includes read below {ROOT}")
    print("\n".join(failures + [f"{includes} includes in {len(files)} files, {len(failures)} wrong"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
