#!/usr/bin/python3
"""Writes what hotdoc has to know of the built plugin, as GStreamer's own plugins keep it in
gst_plugins_cache.json: the elements with their pads, properties and signals, and the enumerations and
classes that belong to them.

  GST_PLUGIN_PATH=BUILD/gst/tfrc docs/site/plugincache.py FILE

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import pathlib
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

PLUGIN = "tfrc"
FLAGS = GObject.ParamFlags


def is_ours(gtype):
    return "Tfrc" in gtype.name


def list_hierarchy(gtype):
    names = [gtype.name]
    while gtype.name != "GObject":
        gtype = gtype.parent
        names.append(gtype.name)
    return names


def describe_enum(gtype):
    enum = gtype.pytype
    if hasattr(enum, "__enum_values__"):
        values = list(enum.__enum_values__.values())
    else:                                       # from PyGObject 3.52 on
        values = [value for i in range(enum.minimum, enum.maximum + 1) if (value := GObject.enum_get_value(enum, i))]
    return {"kind": "enum", "values": [
        {"name": value.value_nick, "desc": value.value_name, "value": str(int(getattr(value, "value", value)))}
        for value in values]}


def describe_property(spec):
    default = getattr(spec, "default_value", None)
    if hasattr(spec, "enum_class") and default is not None:
        default = f"{default.value_nick} ({int(default)})"
    elif isinstance(default, bool):
        default = str(default).lower()
    described = {
        "blurb": spec.blurb, "conditionally-available": False, "construct": bool(spec.flags & FLAGS.CONSTRUCT),
        "construct-only": bool(spec.flags & FLAGS.CONSTRUCT_ONLY), "controllable": False,
        "readable": bool(spec.flags & FLAGS.READABLE), "writable": bool(spec.flags & FLAGS.WRITABLE),
        "type": spec.value_type.name, "default": "NULL" if default is None else str(default)}
    if hasattr(spec, "minimum"):
        described |= {"min": str(spec.minimum), "max": str(spec.maximum)}
    return described


def describe_signal(name, gtype):
    query = GObject.signal_query(name, gtype)
    when = {GObject.SignalFlags.RUN_FIRST: "first", GObject.SignalFlags.RUN_LAST: "last",
            GObject.SignalFlags.RUN_CLEANUP: "cleanup"}
    return {"action": bool(query.signal_flags & GObject.SignalFlags.ACTION),
            "args": [{"name": f"arg{i}", "type": each.name} for i, each in enumerate(query.param_types)],
            "return-type": query.return_type.name,
            "when": next((word for flag, word in when.items() if query.signal_flags & flag), "last")}


def describe_class(gtype):
    """The properties and signals of a class and of those of our own that it is derived from."""
    properties = {spec.name: describe_property(spec) for spec in GObject.list_properties(gtype)
                  if is_ours(spec.owner_type)}
    signals = {}
    while is_ours(gtype):
        signals |= {name: describe_signal(name, gtype) for name in GObject.signal_list_names(gtype)}
        gtype = gtype.parent
    return {"properties": dict(sorted(properties.items())), "signals": dict(sorted(signals.items()))}


def describe_element(factory):
    gtype = factory.get_element_type()
    return {
        "author": factory.get_metadata("author"), "description": factory.get_metadata("description"),
        "klass": factory.get_metadata("klass"), "long-name": factory.get_metadata("long-name"),
        "rank": {0: "none"}.get(factory.get_rank(), str(factory.get_rank())),
        "hierarchy": list_hierarchy(gtype),
        "interfaces": [each.name for each in GObject.type_interfaces(gtype) if each.name != "GstChildProxy"],
        "pad-templates": {pad.name_template: {
            "caps": pad.static_caps.string, "direction": pad.direction.value_nick,
            "presence": pad.presence.value_nick} for pad in factory.get_static_pad_templates()},
        **describe_class(gtype)}


def list_other_types(factories):
    """The enumerations of our own that properties of the elements have, and their classes of our own that
    are no elements themselves."""
    types = {}
    elements = [factory.get_element_type() for factory in factories]
    for element in elements:
        for spec in GObject.list_properties(element):
            if is_ours(spec.value_type) and hasattr(spec, "enum_class"):
                types[spec.value_type.name] = describe_enum(spec.value_type)
        if is_ours(element.parent) and element.parent not in elements:
            types[element.parent.name] = {"kind": "object", "hierarchy": list_hierarchy(element.parent),
                                          **describe_class(element.parent)}
    return types


def describe_plugin():
    plugin = Gst.Registry.get().find_plugin(PLUGIN)
    features = (each.load() for each in Gst.Registry.get().get_feature_list_by_plugin(PLUGIN))
    factories = sorted((each for each in features if isinstance(each, Gst.ElementFactory)),
                       key=lambda each: each.get_name())
    return {PLUGIN: {
        "description": plugin.get_description(), "filename": "gsttfrc", "license": plugin.get_license(),
        "package": plugin.get_package(), "source": plugin.get_source(), "url": plugin.get_origin(),
        "elements": {factory.get_name(): describe_element(factory) for factory in factories},
        "other-types": list_other_types(factories), "tracers": {}}}


if __name__ == "__main__":
    Gst.init(None)
    pathlib.Path(sys.argv[1]).write_text(json.dumps(describe_plugin(), indent=1))
