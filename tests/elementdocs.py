#!/usr/bin/python3
"""Compares what the built plugin says of its elements with the gtk-doc blocks in the sources.

gst-inspect-1.0 and the documentation come from one text: the block of a property begins with the
property's blurb, word for word. Each element has a SECTION block with launch lines that GStreamer
can parse, and its metadata a link to the guide; each property and signal of its own has a block with
"Since:"; each structure application/x-tfrc-... is in a block, with its fields where the code lists them. The blurb of a
number names the unit, and the range of a number contains its default.

Properties that two elements share, such as those that a bin passes on to the filter inside, need
one block: a block of any element that has a property of the same name and the same blurb counts.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import shlex
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "gst"

UNITS = re.compile(r"\b(bit/s|bytes?(/s)?|ns|us|ms|nanoseconds|milliseconds|seconds|packets?(/s)?|hops|"
                   r"percent|frames|samples|channels|peers|Hz|MOS)\b")
# Numbers that have no unit: addresses, identifiers, ratios, choices.
PLAIN = {"complexity", "port", "bind-port", "local-port", "rtcp-port", "dscp", "extension-id", "feedback-fmt",
         "loss-event-rate", "pt", "red-pt"}
NUMBERS = (int, float)


def get_blocks(text):
    """The gtk-doc blocks of a source: identifier to text, without the comment's stars."""
    blocks = {}
    for block in re.findall(r"/\*\*\n(.*?)\*/", text, re.S):
        lines = [re.sub(r"^\s*\* ?", "", line) for line in block.splitlines()]
        blocks[lines[0].strip().removesuffix(":")] = "\n".join(lines[1:])
    return blocks


def fold(text):
    return " ".join(text.split())


def check_block(blurb, block):
    """What is wrong with the block of a property that has this blurb."""
    if block is None:
        return "no gtk-doc block"
    if not fold(block).startswith(fold(blurb)):
        return "the gtk-doc block does not begin with the blurb"
    if "Since:" not in block:
        return "the gtk-doc block has no Since:"
    if blurb.endswith("."):
        return "the blurb ends with a full stop, which those of GStreamer do not"
    return None


def check_number(name, blurb, minimum, default, maximum):
    """What is wrong with a number's text and range."""
    if not minimum <= default <= maximum:
        return f"the default {default} is not from {minimum} to {maximum}"
    if name not in PLAIN and not UNITS.search(blurb):
        return "the blurb names no unit"
    return None


def is_ours(gtype):
    return "Tfrc" in gtype.name


def get_types(gtype):
    """The type and those of its ancestors that are of this plugin."""
    while is_ours(gtype):
        yield gtype
        gtype = gtype.parent


def get_properties(gtype):
    return [spec for spec in GObject.list_properties(gtype) if is_ours(spec.owner_type)]


def find_block(spec, gtypes, blocks):
    """The property's own block, or that of an element which has the very same property."""
    own = blocks.get(f"{spec.owner_type.name}:{spec.name}")
    if own is not None:
        return own
    for gtype in gtypes:
        for other in get_properties(gtype):
            if other.name == spec.name and other.blurb == spec.blurb:
                block = blocks.get(f"{other.owner_type.name}:{other.name}")
                if block is not None:
                    return block
    return None


def check_properties(gtype, gtypes, blocks):
    for spec in get_properties(gtype):
        name = f"{gtype.name}:{spec.name}"
        # With PyGObject 3.50 only the kinds of properties that have a default have the attribute.
        if hasattr(spec, "minimum") and isinstance(spec.default_value, NUMBERS):
            problem = check_number(spec.name, spec.blurb, spec.minimum, spec.default_value, spec.maximum)
            if problem:
                yield f"{name}: {problem}"
        block = find_block(spec, gtypes, blocks)
        problem = check_block(spec.blurb, block)
        if problem:
            yield f"{name}: {problem}"


def check_signals(gtype, blocks):
    for each in get_types(gtype):
        for name in GObject.signal_list_names(each):
            block = blocks.get(f"{each.name}::{name}")
            if block is None or "Since:" not in block:
                yield f"{each.name}::{name}: no gtk-doc block with Since:"


def check_section(name, blocks):
    block = blocks.get(f"SECTION:element-{name}")
    if block is None or "Since:" not in block:
        yield f"{name}: no SECTION:element-{name} block with Since:"
        return
    lines = re.findall(r"gst-launch-1\.0 (.*)", block)
    if not lines:
        yield f"{name}: no launch line in its SECTION"
    for line in lines:
        try:
            Gst.parse_launchv(split_arguments(line))
        except gi.repository.GLib.Error as error:
            yield f"{name}: {error.message}: gst-launch-1.0 {line}"


def check_link(name, link):
    if not link:
        yield f"{name}: no link to the documentation (GST_ELEMENT_METADATA_DOC_URI)"


def split_arguments(line):
    """As a shell would: the parser takes what one pair of quotes holds as one argument."""
    return shlex.split(line)


def get_structures(text, macros):
    """(name, fields) of the structures application/x-tfrc-... that a source makes."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for macro, name in macros.items():
        code = re.sub(rf"\b{macro}\b", f'"{name}"', code)
    for name in re.findall(r'"(application/x-tfrc-[\w-]+)"', code):
        yield name, []
    for name, fields in re.findall(
            r'gst_structure_new \(\s*"(application/x-tfrc-[\w-]+)",(.*?)NULL\)', code, re.S):
        yield name, re.findall(r'"([\w-]+)",\s*(?:G|GST)_TYPE_', fields)


def check_structures(text, macros, blocks):
    for name, fields in get_structures(text, macros):
        found = [block for block in blocks.values() if name in block]
        if not found:
            yield f"{name}: in no gtk-doc block"
        for field in fields:
            if not any(f"`{field}`" in block for block in found):
                yield f"{name}: the field `{field}` is in no gtk-doc block of it"


def check_plugin(plugin, texts, blocks):
    """All that is wrong."""
    features = Gst.Registry.get().get_feature_list_by_plugin(plugin.get_name())
    gtypes = {feature.get_name(): feature.load().get_element_type() for feature in features}
    for feature in features:
        yield from check_link(feature.get_name(), feature.get_metadata("doc-uri"))
    for name, gtype in sorted(gtypes.items()):
        yield from check_section(name, blocks)
        yield from check_signals(gtype, blocks)
        yield from check_properties(gtype, gtypes.values(), blocks)
    macros = dict(re.findall(r'#define (\w+) "(application/x-tfrc-[\w-]+)"', "\n".join(texts.values())))
    for path, text in texts.items():
        for problem in check_structures(text, macros, blocks):
            yield f"{path.name}: {problem}"


def self_test():
    """The checks can fail."""
    blocks = get_blocks("  /**\n   * GstA:b:\n   *\n   * Size of\n   * it (bytes). More.\n"
                        "   *\n   * Since: 0.1\n   */\n")
    assert list(blocks) == ["GstA:b"]
    assert check_block("Size of it (bytes)", blocks["GstA:b"]) is None
    assert check_block("Size of it (bits)", blocks["GstA:b"]) is not None
    assert check_block("Size", None) is not None
    assert check_block("Size", "Size of it") is not None
    assert check_number("size", "Size (bytes)", 0, 1, 2) is None
    assert check_number("size", "Size", 0, 1, 2) is not None
    assert check_number("port", "Port", 0, 1, 2) is None
    assert check_number("size", "Size (bytes)", 0, 3, 2) is not None
    assert list(check_link("a", None))
    assert not list(check_link("a", "file:///a"))
    made = 'gst_structure_new (A_B, "c", G_TYPE_UINT,\n 1, NULL)'
    macros = {"A_B": "application/x-tfrc-b"}
    assert list(check_structures(made, macros, {}))
    assert list(check_structures(made, macros, {"x": "application/x-tfrc-b"}))
    assert not list(check_structures(made, macros, {"x": "application/x-tfrc-b with `c`"}))


def main():
    self_test()
    Gst.init(None)
    plugin = Gst.Registry.get().find_plugin("tfrc")
    if plugin is None:
        print("the plugin is not found: set GST_PLUGIN_PATH")
        return 1
    texts = {path: path.read_text("utf-8") for path in sorted(SOURCES.rglob("*.[ch]"))}
    blocks = {}
    for text in texts.values():
        blocks.update(get_blocks(text))
    failed = list(check_plugin(plugin, texts, blocks))
    print("\n".join([*failed, f"{len(blocks)} blocks, {len(failed)} problems"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
