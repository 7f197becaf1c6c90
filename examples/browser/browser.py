#!/usr/bin/python3
"""A call between an adaptive voice and a browser: one command serves the page, the signalling and the call.

  examples/browser/browser.py [--port 8080] [--source 'autoaudiosrc'] [--cert FILE --key FILE]

The page plays the voice and plots what TFRC does. A browser knows nothing of TFRC: it sends transport-wide feedback, of
which rtptfrcsend computes the loss event rate itself (RFC 5348 7). The page's microphone comes back where there is one.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import asyncio
import http
import json
import pathlib
import ssl
import sys
import urllib.parse

import gi

try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstSdp", "1.0")
    gi.require_version("GstWebRTC", "1.0")
    import websockets
    from websockets.legacy.server import serve  # which old and new releases have
except (ValueError, ImportError) as missing:
    print(missing)              # Debian: gir1.2-gst-plugins-bad-1.0, python3-websockets
    sys.exit(77)
from gi.repository import Gst, GstSdp, GstWebRTC  # noqa: E402

TRANSPORT = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
CAPS = ("application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96,"
        f"extmap-5=(string){TRANSPORT},rtcp-fb-transport-cc=(boolean)true")
PAGE = pathlib.Path(__file__).with_name("index.html")
TELL_S = 0.25                   # from one line of the plot to the next


def make_sender(_webrtc, _transport):
    sender = Gst.ElementFactory.make("rtptfrcsend", "tfrc")
    sender.set_property("mode", "tfrc-sp")
    return sender


class Call:
    """The call with one page. GStreamer calls back in threads of its own, and what they have to say
    goes to the page through the event loop."""

    def __init__(self, socket, source, sink):
        self.socket, self.sink, self.loop = socket, sink, asyncio.get_running_loop()
        self.pipeline = Gst.parse_launch(
            f"webrtcbin name=webrtc bundle-policy=max-bundle latency=60 {source} ! audioconvert ! audioresample ! "
            f"tfrcencodebin name=encoder redundancy=0 ! {CAPS} ! webrtc.")
        self.webrtc = self.pipeline.get_by_name("webrtc")
        self.webrtc.connect("request-aux-sender", make_sender)
        self.webrtc.connect("on-ice-candidate", self.on_candidate)
        self.webrtc.connect("on-negotiation-needed", self.on_negotiation_needed)
        self.webrtc.connect("pad-added", self.on_pad)

    def tell(self, message):
        """Sends the page a message, from any thread."""
        asyncio.run_coroutine_threadsafe(self.send(message), self.loop)

    async def send(self, message):
        try:
            await self.socket.send(json.dumps(message))
        except websockets.ConnectionClosed:
            pass                # the page has gone, which the reader of the socket sees

    def on_candidate(self, _webrtc, line, candidate):
        self.tell({"candidate": candidate, "sdpMLineIndex": line})

    def on_negotiation_needed(self, webrtc):
        webrtc.emit("create-offer", None, Gst.Promise.new_with_change_func(self.on_offer))

    def on_offer(self, promise):
        reply = promise.get_reply()     # owns the offer
        offer = reply.get_value("offer")
        self.webrtc.emit("set-local-description", offer, Gst.Promise.new())
        self.tell({"offer": offer.sdp.as_text()})

    def on_pad(self, _webrtc, pad):
        """The page's microphone."""
        if pad.direction != Gst.PadDirection.SRC:
            return
        ear = Gst.parse_bin_from_description(
            f"rtpopusdepay ! opusdec plc=true ! audioconvert ! audioresample ! {self.sink}", True)
        self.pipeline.add(ear)
        ear.sync_state_with_parent()
        pad.link(ear.get_static_pad("sink"))

    def take(self, message):
        if "answer" in message:
            answer = GstWebRTC.WebRTCSessionDescription.new(
                GstWebRTC.WebRTCSDPType.ANSWER, GstSdp.SDPMessage.new_from_text(message["answer"])[1])
            self.webrtc.emit("set-remote-description", answer, Gst.Promise.new())
        elif message.get("candidate"):
            self.webrtc.emit("add-ice-candidate", message["sdpMLineIndex"], message["candidate"])
        elif "heard" in message:
            print(json.dumps(message), flush=True)

    def get_plot(self):
        """What the page plots: bit/s, ms, s and a share."""
        sender, encoder = self.pipeline.get_by_name("tfrc"), self.pipeline.get_by_name("encoder")
        if sender is None:
            return None
        stats = sender.get_property("stats")
        return {"feedback": stats.get_value("feedback"), "rate": encoder.get_property("current-bitrate"),
                "frame": encoder.get_property("current-ptime") / Gst.MSECOND,
                "allowed": stats.get_value("allowed-rate"), "p": stats.get_value("loss-event-rate"),
                "rtt": stats.get_value("round-trip-time") / Gst.SECOND, "reports": stats.get_value("reports"),
                "packets": stats.get_value("packets")}

    async def watch(self):
        """Tells the page how the call goes. Ends when the pipeline has an error."""
        bus = self.pipeline.get_bus()
        while True:
            while (message := bus.pop_filtered(Gst.MessageType.ERROR | Gst.MessageType.LATENCY)) is not None:
                if message.type == Gst.MessageType.ERROR:
                    raise RuntimeError(message.parse_error()[0].message)
                self.pipeline.recalculate_latency()
            plot = self.get_plot()
            if plot is not None:
                print(json.dumps(plot), flush=True)
                await self.send({"plot": plot})
            await asyncio.sleep(TELL_S)

    async def listen(self):
        """Ends when the page goes."""
        async for text in self.socket:
            self.take(json.loads(text))

    async def run(self):
        self.pipeline.set_state(Gst.State.PLAYING)
        tasks = [asyncio.create_task(self.watch()), asyncio.create_task(self.listen())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except websockets.ConnectionClosed:
            pass                # the page has gone without a word
        except (RuntimeError, ValueError, KeyError, TypeError, AttributeError) as error:
            print(f"the call ends: {error}", file=sys.stderr)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.get_running_loop().run_in_executor(None, self.pipeline.set_state, Gst.State.NULL)


async def serve_page(path, headers):
    """The page at /, and the WebSocket at /call, for no other page than this one."""
    if path == "/call":
        origin = urllib.parse.urlsplit(headers.get("Origin", ""))
        return None if origin.netloc == headers.get("Host") else (http.HTTPStatus.FORBIDDEN, [], b"not from there\n")
    if path.partition("?")[0] != "/":
        return http.HTTPStatus.NOT_FOUND, [], b"not here\n"
    return http.HTTPStatus.OK, [("Content-Type", "text/html; charset=utf-8")], PAGE.read_bytes()


async def main():
    parser = argparse.ArgumentParser(description="A call between an adaptive voice and a browser")
    parser.add_argument("--host", default="", help="address to listen at (all)")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--source", default="audiotestsrc is-live=true wave=ticks", help="elements that make the sound")
    parser.add_argument("--sink", default="autoaudiosink", help="elements that play the page's microphone")
    parser.add_argument("--cert", help="certificate for HTTPS (PEM)")
    parser.add_argument("--key", help="its key")
    args = parser.parse_args()
    Gst.init(None)
    for factory in ("webrtcbin", "nicesrc", "rtptfrcsend", "tfrcencodebin"):
        if Gst.ElementFactory.find(factory) is None:
            print(f"no {factory}")      # Debian: gstreamer1.0-plugins-bad, gstreamer1.0-nice
            return 77
    context = None
    if args.cert:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(args.cert, args.key)

    async def on_page(socket):
        await Call(socket, args.source, args.sink).run()
    async with serve(on_page, args.host or None, args.port, ssl=context, process_request=serve_page, max_size=1 << 18):
        print(f"open {'https' if context else 'http'}://localhost:{args.port}/", flush=True)
        await asyncio.Future()


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except KeyboardInterrupt:
        pass
