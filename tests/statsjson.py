#!/usr/bin/python3
"""Reads the property stats-json of each element of the built plugin with a JSON parser, and compares it with stats.

Each element with statistics has both. The names, the nesting and the numbers are the same, and what is named by a
symbol of an RFC, in the units of the RFC, is in the member "rfc" alone.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import math
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

ELEMENTS = {"rtptfrcreceive", "rtptfrcsend", "tfrcbin", "tfrcdecodebin", "tfrcopusdec", "tfrcsink", "tfrcsrc"}
SYMBOLS = {"X", "X-inst", "X-Bps", "X-recv", "R", "R-sqmean", "p", "s", "G", "t-RTO", "T-report", "I-mean", "I-0",
           "I-1"}
READINGS = {"loss-event-rate": (int, float), "receive-rate": (int, float), "round-trip-time": int,
            "duration": int, "jitter": int, "connection": str, "label": str}


def get_differences(structure, found, path):
    """The fields of a structure that are missing in the JSON object, or another value there."""
    names = {structure.nth_field_name(i) for i in range(structure.n_fields())}
    if names != set(found):
        yield f"{path}: {sorted(names ^ set(found))}"
        return
    for name in names:
        kind = structure.get_field_type(name)
        if kind == Gst.Structure.__gtype__:
            yield from get_differences(structure.get_value(name), found[name], f"{path}.{name}")
        elif kind == Gst.ValueArray.__gtype__:
            if found[name] != []:
                yield f"{path}.{name}: {found[name]}"
        elif not is_same(structure.get_value(name), found[name]):
            yield f"{path}.{name}: {structure.get_value(name)} and {found[name]}"


def is_same(value, found):
    if isinstance(value, float) and not math.isfinite(value):
        return found is None
    return type(value) is type(found) and value == found if not isinstance(value, float) else value == found


def check(factory):
    element = Gst.ElementFactory.make(factory)
    stats, found = element.props.stats, json.loads(element.props.stats_json)
    yield from (f"{factory}{text}" for text in get_differences(stats, found, ""))
    if SYMBOLS & set(found):
        yield f"{factory}: {SYMBOLS & set(found)} belongs into rfc"
    if "rfc" in found:
        yield from (f"{factory}.{name} is {found.get(name)}" for name, kind in READINGS.items()
                    if not isinstance(found.get(name), kind))


def main():
    Gst.init(None)
    factories = [feature.get_name() for feature in
                 Gst.Registry.get().get_feature_list_by_plugin("tfrc") if isinstance(feature, Gst.ElementFactory)]
    with_stats = {name for name in factories if Gst.ElementFactory.make(name).find_property("stats")}
    wrong = [f"with stats: {sorted(with_stats)}"] if with_stats != ELEMENTS else []
    for name in sorted(with_stats):
        wrong += check(name)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
