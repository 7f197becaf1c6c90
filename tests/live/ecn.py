#!/usr/bin/python3
"""Calls over paths that mark, drop, or spoil ECN, in network namespaces with IPv4 and IPv6.

  tests/live/play.py tests/live/ecn.py

All calls run side by side between two namespaces that are 100 ms apart. nft treats the packets of each
call in another way as they arrive.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import os
import subprocess
import sys
import time
import unittest

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

import cases  # noqa: E402
import delay  # noqa: E402
import namespaces  # noqa: E402

PORT = 27500
DELAY = 0.1                     # s, one way
SETTLE, MEASURE = 15, 30        # s
SHARE = 10                      # one packet of so many is marked or lost
TOLERANCE = 0.05                # of the rates of marks and drops
ADDRESSES = {"ip": ("10.79.0.1", "10.79.0.2"), "ip6": ("fd79::1", "fd79::2")}
DATA = "@th,72,8 & 127 == 96"   # RTP, by its payload type

# What the path does to the packets of a call; {ip} is the family.
PATHS = {
    "clean": "accept",
    "marks": f"{DATA} {{ip}} ecn ect0 numgen inc mod {SHARE} 0 {{ip}} ecn set ce",
    "drops": f"{DATA} numgen inc mod {SHARE} 0 drop",
    "bleached": "{ip} ecn ect0 {ip} ecn set not-ect",
    "mangled": "{ip} ecn set ce",
    "dropped": "{ip} ecn ect0 drop",
}
FAILURES = ("bleached", "mangled", "dropped")
# 20 ms of voice in packets of 320 bytes: more than a path that loses a tenth of them permits
CALL = ("tfrcbin name=call{n} mode=tfrc-sp address={own} port={port} peer={peer}:{other} "
        "audiotestsrc is-live=true samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! "
        "opusenc bitrate=128000 bitrate-type=cbr ! rtpopuspay pt=96 ! call{n}.send_sink_0 "
        "call{n}.recv_src_0 ! fakesink")


def get_calls():
    """(number, family, path) of each."""
    return list(enumerate((family, path) for family in ADDRESSES for path in PATHS))


def get_line(end):
    lines = []
    for n, (family, _) in get_calls():
        own, peer = (ADDRESSES[family][i] for i in (end, 1 - end))
        lines.append(CALL.format(n=n, own=own, peer=f"[{peer}]" if ":" in peer else peer,
                                 port=PORT + 2 * n + end, other=PORT + 2 * n + 1 - end))
    return " ".join(lines)


def get_stats(pipeline, n):
    stats = pipeline.get_by_name(f"call{n}").emit("get-peer-stats", 0)
    parts = {name: stats.get_value(name) for name in ("ecn", "data-sender", "data-receiver")}
    return {"ecn": parts["ecn"].get_value("state"), "failure": parts["ecn"].get_value("failure"),
            "ce": parts["ecn"].get_value("ce"), "remote-ce": parts["ecn"].get_value("remote-ce"),
            "X": parts["data-sender"].get_value("allowed-rate"), "p": parts["data-sender"].get_value("loss-event-rate"),
            "packets": parts["data-receiver"].get_value("packets"),
            "lost": parts["data-receiver"].get_value("lost")}


def run_end(end):
    """One end of all calls; prints what it knows of them as they end. X is the mean of MEASURE."""
    Gst.init(None)
    pipeline = Gst.parse_launch(get_line(end))
    pipeline.set_state(Gst.State.PLAYING)
    samples = []
    time.sleep(SETTLE)
    for _ in range(2 * MEASURE):
        time.sleep(0.5)
        samples.append([get_stats(pipeline, n) for n, _ in get_calls()])
    error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
    if error:
        sys.exit(error.parse_error()[0].message)
    results = samples[-1]
    for n, result in enumerate(results):
        result["X"] = sum(sample[n]["X"] for sample in samples) / len(samples)
    pipeline.set_state(Gst.State.NULL)
    print(json.dumps(results))


def make_rules():
    rules = ["add table inet path",
             "add chain inet path in { type filter hook prerouting priority -150; }"]
    for n, (family, path) in get_calls():
        rules.append(f"add rule inet path in udp dport {PORT + 2 * n + 1} " + PATHS[path].format(ip=family))
    return ";".join(rules)


class Ecn(unittest.TestCase):
    def set_up_paths(self):
        networks = [namespaces.Namespace() for _ in range(2)]
        for network in networks:
            self.addCleanup(network.close)
        cable = delay.Cable([network.pid for network in networks], "cable", DELAY)
        self.addCleanup(cable.close)
        for i, network in enumerate(networks):
            for addresses, length in zip(ADDRESSES.values(), (24, 64)):
                network.run("ip", "addr", "add", f"{addresses[i]}/{length}", "dev", "cable",
                            *(["nodad"] if ":" in addresses[i] else []))
            network.run("ip", "link", "set", "cable", "up")
        networks[1].run("nft", make_rules())
        return networks

    def run_calls(self):
        ends = [subprocess.Popen(network.enter(sys.executable, __file__, "--end", str(i)),
                                 stdout=subprocess.PIPE, text=True)
                for i, network in enumerate(self.set_up_paths())]
        for end in ends:
            self.addCleanup(end.wait)
            self.addCleanup(end.kill)
        outputs = [end.communicate(timeout=SETTLE + MEASURE + 60)[0] for end in ends]
        self.assertEqual([end.returncode for end in ends], [0, 0])
        sender, receiver = map(json.loads, outputs)
        for n, (family, path) in get_calls():
            print(f"{family:4} {path:9} {sender[n]['ecn']:7} {sender[n]['failure']:9} X {sender[n]['X']:6.0f} "
                  f"p {sender[n]['p']:.4f} packets {receiver[n]['packets']} lost {receiver[n]['lost']} "
                  f"CE {receiver[n]['ce']}")
        return {key: (sender[n], receiver[n]) for n, key in get_calls()}

    def check_rates(self, calls, family):
        (marked, marks), (dropped, drops) = calls[family, "marks"], calls[family, "drops"]
        self.assertEqual(marked["ecn"], "on")
        self.assertEqual(marks["lost"], 0)
        self.assertAlmostEqual(marks["ce"] / marks["packets"], 1 / SHARE, delta=0.02)
        self.assertAlmostEqual(drops["lost"] / drops["packets"], 1 / (SHARE - 1), delta=0.02)
        self.assertAlmostEqual(marked["X"] / dropped["X"], 1, delta=TOLERANCE)
        self.assertLess(marked["X"], 0.8 * calls[family, "clean"][0]["X"])

    def test_marks_lower_the_rate_as_drops_do_and_lose_nothing(self):
        calls = self.run_calls()
        for family in ADDRESSES:
            with self.subTest(family):
                clean = calls[family, "clean"]
                self.assertEqual((clean[0]["ecn"], clean[1]["ce"], clean[1]["lost"]), ("on", 0, 0))
                self.check_rates(calls, family)
                for path in FAILURES:
                    self.assertEqual((calls[family, path][0]["ecn"], calls[family, path][0]["failure"]),
                                     ("failed", path))
                    self.assertEqual(calls[family, path][1]["ecn"], "on")      # the way back


def prepare():
    namespaces.enter("nft")
    if not os.path.exists("/dev/net/tun"):
        cases.skip("no TUN devices")


if __name__ == "__main__":
    if "--end" in sys.argv:
        run_end(int(sys.argv[sys.argv.index("--end") + 1]))
    else:
        cases.main(Ecn, prepare)
