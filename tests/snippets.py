#!/usr/bin/python3
"""Runs the two examples of docs/using.md for applications that want no bin, as they are printed, and parses the
pipelines of the pages that docs/ begins with.

An encoder gets an event that allows 24000 bit/s, and must have that bit rate then. The commands of the pages run in
tests/live/pages.py, between two networks.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
TEXT = (DOCS / "using.md").read_text("utf-8")
PAGES = ("start.md", "softphones.md", "webrtc.md", "operators.md", "researchers.md")
EVENT = "application/x-tfrc-rate, bitrate=(uint)24000, suspend=(boolean)false"

PROGRAM = """#include <gst/gst.h>
%s
int
main (int argc, char **argv)
{
  GstElement *encoder, *sink;
  GstPad *pad, *end;
  gint bitrate;
  gst_init (&argc, &argv);
  encoder = gst_element_factory_make ("opusenc", NULL);
  sink = gst_element_factory_make ("fakesink", NULL);
  pad = gst_element_get_static_pad (encoder, "src");
  end = gst_element_get_static_pad (sink, "sink");
  gst_pad_link (pad, end);
  gst_element_set_state (encoder, GST_STATE_PAUSED);
  gst_element_set_state (sink, GST_STATE_PAUSED);
%s
  gst_pad_push_event (end, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_from_string ("%s", NULL)));
  g_object_get (encoder, "bitrate", &bitrate, NULL);
  return bitrate == 24000 ? 0 : 1;
}
"""


def find_block(language):
    """The first block of the section on the event in that language."""
    section = TEXT[TEXT.index("## The event"):]
    return re.search(rf"```{language}\n(.*?)```", section, re.S).group(1)


class Snippets(unittest.TestCase):
    def test_c(self):
        function, call = find_block("c").split("...\n")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.split()
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "snippet.c")
            source.write_text(PROGRAM % (function, call, EVENT), "utf-8")
            program = str(source.with_suffix(""))
            subprocess.run(["cc", "-Wall", "-Werror", "-o", program, str(source), *flags], check=True)
            subprocess.run([program], check=True)

    def test_python(self):
        pipeline = Gst.parse_launch("opusenc name=encoder ! fakesink name=sink")
        encoder = pipeline.get_by_name("encoder")
        pipeline.set_state(Gst.State.PAUSED)
        exec(find_block("python"), {"Gst": Gst, "encoder": encoder,   # pylint: disable=exec-used
                                    "pad": encoder.get_static_pad("src")})
        pipeline.get_by_name("sink").get_static_pad("sink").push_event(Gst.Event.new_custom(
            Gst.EventType.CUSTOM_UPSTREAM, Gst.Structure.new_from_string(EVENT)))
        self.assertEqual(encoder.get_property("bitrate"), 24000)
        pipeline.set_state(Gst.State.NULL)

    def test_pipelines_of_the_pages(self):
        text = "".join((DOCS / page).read_text("utf-8") for page in PAGES)
        lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.S)
                 for line in re.findall(r"gst-launch-1\.0 (.*)", block)]
        self.assertGreaterEqual(len(lines), 4)
        for line in lines:
            with self.subTest(line):
                Gst.parse_launch(line)

    def test_links_of_the_pages(self):
        for page in PAGES:
            for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([\w-]+))?\)", (DOCS / page).read_text("utf-8")):
                with self.subTest(f"{page}: {target}#{anchor}"):
                    text = (DOCS / (target or page)).read_text("utf-8")
                    heads = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
                             for head in re.findall(r"^#+ (.*)$", text, re.M)}
                    self.assertTrue(not anchor or anchor in heads, heads)


if __name__ == "__main__":
    Gst.init(None)
    unittest.main(argv=[sys.argv[0], "-v"])
