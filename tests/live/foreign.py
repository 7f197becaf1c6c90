#!/usr/bin/python3
"""Calls of webrtcbin with rtptfrcsend to the WebRTC ends of other authors, over an emulated path.

  TFRC_AIORTC_PYTHON=PYTHON TFRC_PION=PROGRAM tests/live/play.py tests/live/foreign.py BUILD

aiortc (PyPI) sends receiver reports alone. The program of tests/live/pion, built by `go build`, sends transport-wide
feedback or that of RFC 8888. An end that is not there is a case that is skipped.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time
import unittest

import browser
import cases
import namespaces

HERE = pathlib.Path(__file__).resolve().parent
AIORTC_PYTHON = os.environ.get("TFRC_AIORTC_PYTHON", sys.executable)
PION = os.environ.get("TFRC_PION", "tfrc-pion")
TRANSPORT = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
CAPS = ("application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96,"
        f"extmap-5=(string){TRANSPORT},rtcp-fb-transport-cc=(boolean)true")


class ForeignCall(browser.Call):
    """A call of this process to a program in the other network."""

    def __init__(self, path, command, feedback):
        super().__init__()
        self.pipeline, self.offer, self.lines_heard = None, threading.Event(), []
        self.join(path)
        self.remote = subprocess.Popen(self.network.enter(*command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True, start_new_session=True)
        self.children.append(self.remote)
        self.begin_sender(feedback)
        self.exchange()

    def begin_sender(self, feedback):
        from gi.repository import Gst
        self.Gst, self.feedback = Gst, feedback
        self.pipeline = Gst.parse_launch(
            "webrtcbin name=webrtc bundle-policy=max-bundle audiotestsrc is-live=true wave=pink-noise volume=0.3 ! "
            f"audioconvert ! tfrcencodebin name=encoder redundancy=0 ! {CAPS} ! webrtc.")
        self.webrtc = self.pipeline.get_by_name("webrtc")
        self.webrtc.connect("request-aux-sender", self.make_sender)
        self.webrtc.connect("on-negotiation-needed", self.on_negotiation_needed)
        self.webrtc.connect("notify::ice-gathering-state", self.on_gathering)
        self.pipeline.set_state(Gst.State.PLAYING)

    def make_sender(self, _webrtc, _transport):
        sender = self.Gst.ElementFactory.make("rtptfrcsend", "tfrc")
        self.Gst.util_set_object_arg(sender, "feedback", self.feedback)
        return sender

    def on_negotiation_needed(self, webrtc):
        webrtc.emit("create-offer", None, self.Gst.Promise.new_with_change_func(self.on_offer))

    def on_offer(self, promise):
        reply = promise.get_reply()     # owns the offer
        self.webrtc.emit("set-local-description", reply.get_value("offer"), self.Gst.Promise.new())

    def on_gathering(self, webrtc, _spec):
        if webrtc.get_property("ice-gathering-state").value_nick == "complete":
            self.offer.set()

    def exchange(self):
        """The offer has all candidates in it, and so has the answer."""
        from gi.repository import GstSdp, GstWebRTC
        if not self.offer.wait(browser.PATIENCE_S):
            raise RuntimeError("no candidates")
        offer = self.webrtc.get_property("local-description").sdp.as_text()
        self.remote.stdin.write(json.dumps({"type": "offer", "sdp": offer}) + "\n")
        self.remote.stdin.flush()
        line = self.remote.stdout.readline()
        if not line:
            raise RuntimeError("the other end has ended")
        answer = GstWebRTC.WebRTCSessionDescription.new(
            GstWebRTC.WebRTCSDPType.ANSWER, GstSdp.SDPMessage.new_from_text(json.loads(line)["sdp"])[1])
        self.webrtc.emit("set-remote-description", answer, self.Gst.Promise.new())
        threading.Thread(target=self.hear, daemon=True).start()

    def hear(self):
        for line in self.remote.stdout:
            self.lines_heard.append(json.loads(line))

    def get_plot(self):
        stats = self.pipeline.get_by_name("tfrc").get_property("stats")
        return {"feedback": stats.get_value("feedback"), "mode": stats.get_value("mode"),
                "allowed": stats.get_value("allowed-rate"), "p": stats.get_value("loss-event-rate"),
                "rtt": stats.get_value("round-trip-time") / self.Gst.SECOND, "reports": stats.get_value("reports"),
                "packets": stats.get_value("packets"),
                "rate": self.pipeline.get_by_name("encoder").get_property("current-bitrate")}

    def play(self, seconds):
        """The plots, one in half a second, from the first report on."""
        bus, plots = self.pipeline.get_bus(), []
        until = time.monotonic() + browser.PATIENCE_S
        while len(plots) < 2 * seconds:
            message = bus.timed_pop_filtered(self.Gst.SECOND // 2,
                                             self.Gst.MessageType.ERROR | self.Gst.MessageType.LATENCY)
            if message is not None and message.type == self.Gst.MessageType.ERROR:
                raise RuntimeError(message.parse_error()[0].message)
            if message is not None:
                self.pipeline.recalculate_latency()
            elif self.pipeline.get_by_name("tfrc") is not None and (plots or self.get_plot()["reports"] > 0):
                plots.append(self.get_plot())
            if not plots and time.monotonic() > until:
                raise RuntimeError("no report has come")
        return plots

    def close(self):
        if self.pipeline is not None:
            self.pipeline.set_state(self.Gst.State.NULL)
        self.remote.stdin.close()
        super().close()


class Foreign(unittest.TestCase):
    def call(self, command, feedback, *path):
        call = ForeignCall(path, command, feedback)
        self.addCleanup(call.close)
        return call

    def call_pion(self, kind, *path):
        if shutil.which(PION) is None:
            self.skipTest("no program of tests/live/pion (TFRC_PION)")
        return self.call([PION, kind], "ccfb" if kind == "ccfb" else "auto", *path)

    def check_loss(self, call, kind, most_p):
        """Five packets in a hundred are lost, and 100 ms are the least round-trip time."""
        plots = call.play(15)
        heard = call.lines_heard[-1]["packets"] - call.lines_heard[-6]["packets"]
        sent = plots[-1]["packets"] - plots[-11]["packets"]
        last = plots[len(plots) // 2:]
        self.assertEqual(plots[-1]["feedback"], kind)
        self.assertEqual(plots[-1]["mode"], "tfrc-sp")
        self.assertTrue(0.09 < browser.mean(last, "rtt") < 0.35, browser.mean(last, "rtt"))
        self.assertTrue(0.01 < browser.mean(last, "p") < most_p, browser.mean(last, "p"))
        self.assertGreater(sent, 60)
        self.assertTrue(0.8 * sent < heard < 1.1 * sent, f"{heard} of {sent} in five seconds")
        self.assertGreater(browser.mean(last, "rate"), 6000)

    def test_aiortc_is_served_by_receiver_reports_alone(self):
        if subprocess.run([AIORTC_PYTHON, "-c", "import aiortc"], check=False, capture_output=True).returncode:
            self.skipTest("no aiortc (TFRC_AIORTC_PYTHON)")
        call = self.call([AIORTC_PYTHON, str(HERE / "foreign_aiortc.py")], "auto", "--delay", "50", "--loss", "5")
        self.check_loss(call, "rr", 0.2)
        self.assertGreater(call.lines_heard[-1]["level"], 100)

    def test_pion_is_served_by_transport_wide_feedback(self):
        self.check_loss(self.call_pion("twcc", "--delay", "50", "--loss", "5"), "twcc", 0.12)

    def test_pion_is_served_by_rfc_8888(self):
        self.check_loss(self.call_pion("ccfb", "--delay", "50", "--loss", "5"), "ccfb", 0.12)

    def test_the_voice_to_pion_follows_a_thin_path(self):
        plots = self.call_pion("twcc", "--delay", "30", "--capacity", "0:32", "--queue", "3000B").play(20)
        rate = browser.mean(plots[len(plots) // 2:], "rate")
        self.assertTrue(8000 < rate < 28000, rate)


def main():
    namespaces.enter()
    try:
        import gi
        gi.require_version("Gst", "1.0")
        gi.require_version("GstSdp", "1.0")
        gi.require_version("GstWebRTC", "1.0")
        from gi.repository import Gst
    except (ImportError, ValueError) as missing:
        cases.skip(str(missing))
    Gst.init(None)
    for factory in ("webrtcbin", "nicesrc", "dtlsdec", "srtpdec"):
        if Gst.ElementFactory.find(factory) is None:
            cases.skip(f"no {factory}")
    cases.main(Foreign)


if __name__ == "__main__":
    main()
