#!/usr/bin/python3
"""Calls between link-local addresses of IPv6, which mean something on one interface only.

  tests/live/play.py tests/live/linklocal.py

In two network namespaces of its own: a cable, and at each end an interface beside it, where
everything goes that is sent without naming an interface.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import atexit
import socket
import subprocess
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import cases  # noqa: E402
import namespaces  # noqa: E402
from namespaces import run  # noqa: E402

PORT = 5004


def lay_cable(far):
    """The interface beside comes first: it is where the route without a name leads."""
    for enter in (lambda *arguments: arguments), far.enter:
        run(*enter("ip", "link", "add", "beside", "type", "veth", "peer", "name", "nowhere"))
        run(*enter("sh", "-c", "echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad"))
        for name in "lo", "nowhere", "beside":
            run(*enter("ip", "link", "set", name, "up"))
    run("ip", "link", "add", "left", "type", "veth", "peer", "name", "right")
    run("ip", "link", "set", "right", "netns", far.pid)
    run("ip", "link", "set", "left", "up")
    run(*far.enter("ip", "link", "set", "right", "up"))


def get_link_local(interface, enter=lambda *arguments: arguments):
    for _ in range(100):
        for line in run(*enter("cat", "/proc/net/if_inet6")).splitlines():
            digits, _, _, scope, flags, name = line.split()
            if name == interface and scope == "20" and not int(flags, 16) & 0x40:
                return socket.inet_ntop(socket.AF_INET6, bytes.fromhex(digits))
        time.sleep(0.1)
    raise RuntimeError(f"{interface} gets no link-local address")


class LinkLocal(unittest.TestCase):
    def play(self, text):
        pipeline = Gst.parse_launch(text)
        self.addCleanup(pipeline.set_state, Gst.State.NULL)
        pipeline.set_state(Gst.State.PLAYING)
        return pipeline

    def get(self, pipeline, name):
        return pipeline.get_by_name("t").get_property("stats").get_value(name)

    def check_call(self, source, sink):
        receiver = subprocess.Popen(FAR.enter(
            *f"gst-launch-1.0 -q tfrcsrc port={PORT} {source} ! fakesink sync=false".split()))
        self.addCleanup(receiver.wait)
        self.addCleanup(receiver.kill)
        sender = self.play("audiotestsrc is-live=true ! opusenc ! rtpopuspay ! "
                           f"tfrcsink name=t {sink}")
        for _ in range(150):
            if self.get(sender, "reports") >= 10:
                break
            time.sleep(0.1)
        self.assertGreaterEqual(self.get(sender, "reports"), 10)
        self.assertEqual(self.get(sender, "rtcp-foreign"), 0)
        self.assertEqual(self.get(sender, "send-errors"), 0)
        self.assertIsNone(receiver.poll())

    def test_a_call_to_a_host_on_an_interface(self):
        self.check_call("", f"host={RIGHT}%left port={PORT}")

    def test_a_call_from_an_address_to_an_address(self):
        self.check_call(f"address={RIGHT}%right",
                        f"host={RIGHT}%left port={PORT} bind-address={LEFT}%left")

    def test_a_call_with_a_port_for_rtcp(self):
        self.check_call("rtcp-mux=false", f"host={RIGHT}%left port={PORT} rtcp-mux=false")

    def test_a_call_to_a_uri(self):
        self.check_call("", f"uri=tfrc://[{RIGHT}%25left]:{PORT}")

    def test_an_address_without_its_interface_is_an_error_that_names_the_remedy(self):
        for element, name in (("fakesrc ! tfrcsink name=t", "host"),
                              ("tfrcsrc name=t", "address")):
            pipeline = self.play(f"{element} {name}={RIGHT}" + (" ! fakesink" if name != "host"
                                                                else ""))
            message = pipeline.get_bus().timed_pop_filtered(Gst.SECOND, Gst.MessageType.ERROR)
            self.assertIn(f'Set the property "{name}" to {RIGHT}%', message.parse_error()[0].message)


def prepare():
    global LEFT, RIGHT, FAR
    namespaces.enter()
    Gst.init(None)
    FAR = namespaces.Namespace()
    atexit.register(FAR.close)
    try:
        lay_cable(FAR)
    except subprocess.CalledProcessError as error:
        cases.skip(f"no cable can be laid here: {error.stderr}")
    LEFT, RIGHT = get_link_local("left"), get_link_local("right", FAR.enter)


if __name__ == "__main__":
    cases.main(LinkLocal, prepare)
