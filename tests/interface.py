#!/usr/bin/python3
"""Compares the public interface of the built plugin with tests/data/interface.txt: its elements with
their rank, pads, properties with type, access, range and default, and signals.

  tests/interface.py            prints what differs
  tests/interface.py --write    writes the file anew

A change of the interface changes applications. It is meant when the file changes with it.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import difflib
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

FILE = pathlib.Path(__file__).resolve().parent / "data" / "interface.txt"
MUTABLE = {1 << 10: "ready", 1 << 11: "paused", 1 << 12: "playing"}
HEAD = "# The public interface of the plugin; tests/interface.py compares and writes it.\n"


def get_access(flags):
    words = [word for flag, word in ((GObject.ParamFlags.READABLE, "read"), (GObject.ParamFlags.WRITABLE, "write"),
                                     (GObject.ParamFlags.CONSTRUCT_ONLY, "construct-only")) if flags & flag]
    return " ".join(words + [f"until {state}" for flag, state in MUTABLE.items() if flags & flag])


def get_nicks(enum):
    """The nicks of an enumeration by value. From PyGObject 3.52 on its class is that of GObject."""
    if hasattr(enum, "__enum_values__"):
        return {int(value): value.value_nick for value in enum.__enum_values__.values()}
    values = (GObject.enum_get_value(enum, i) for i in range(enum.minimum, enum.maximum + 1))
    return {value.value: value.value_nick for value in values if value}


def describe_value(spec):
    if hasattr(spec, "enum_class"):
        nicks = get_nicks(spec.enum_class)
        return f" {'|'.join(nicks.values())} = {nicks[int(spec.default_value)]}"
    if hasattr(spec, "minimum"):
        return f" {spec.minimum} to {spec.maximum} = {spec.default_value}"
    # Newer versions of PyGObject know no default where it is NULL.
    return f" = {getattr(spec, 'default_value', None)!r}"


def describe_properties(gtype):
    for spec in sorted(GObject.list_properties(gtype), key=lambda spec: spec.name):
        if "Tfrc" in spec.owner_type.name:
            yield f"  property {spec.name}: {spec.value_type.name}{describe_value(spec)}; {get_access(spec.flags)}"


def describe_signals(gtype):
    while "Tfrc" in gtype.name:
        for name in sorted(GObject.signal_list_names(gtype)):
            query = GObject.signal_query(name, gtype)
            action = "action " if query.signal_flags & GObject.SignalFlags.ACTION else ""
            arguments = ", ".join(each.name for each in query.param_types)
            yield f"  {action}signal {name}: {query.return_type.name} ({arguments})"
        gtype = gtype.parent


def describe_pads(factory):
    for pad in sorted(factory.get_static_pad_templates(), key=lambda pad: pad.name_template):
        yield (f"  pad {pad.name_template}: {pad.direction.value_nick} {pad.presence.value_nick} "
               f"{pad.static_caps.string}")


def describe_element(factory):
    element = factory.create(None)
    yield f"{factory.get_name()}: {factory.get_metadata('klass')}, rank {factory.get_rank()}"
    yield from describe_pads(factory)
    yield from sorted(f"  has pad {pad.name}" for pad in element.pads)
    yield from describe_properties(element.__gtype__)
    yield from describe_signals(element.__gtype__)


def describe_plugin():
    factories = Gst.Registry.get().get_feature_list_by_plugin("tfrc")
    for factory in sorted(factories, key=lambda each: each.get_name()):
        if isinstance(factory.load(), Gst.ElementFactory):
            yield from describe_element(factory.load())


def main(arguments):
    Gst.init(None)
    text = HEAD + "\n".join(describe_plugin()) + "\n"
    if "--write" in arguments:
        FILE.write_text(text)
        return 0
    lines = list(difflib.unified_diff(FILE.read_text().splitlines(), text.splitlines(), str(FILE), "the plugin",
                                      lineterm="", n=0))
    print("\n".join(lines))
    if lines:
        print("If the change is meant: GST_PLUGIN_PATH=BUILD/gst/tfrc tests/interface.py --write")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
