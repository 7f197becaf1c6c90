#!/usr/bin/python3
"""A call between an adaptive voice and a browser: one command serves the page, the signalling and the call.

  examples/browser/browser.py [--port 8080] [--source autoaudiosrc] [--pictures autovideosrc] [--cert FILE --key FILE]

The page plays the voice, and pictures where there are some, and plots what TFRC does. A browser knows nothing of TFRC:
it sends transport-wide feedback, of which rtptfrcsend computes the loss event rate itself (RFC 5348 7). The page's
microphone comes back where there is one.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import asyncio
import functools
import http
import ipaddress
import json
import pathlib
import re
import ssl
import sys
import urllib.parse
import warnings

import gi

try:
    gi.require_version("Gst", "1.0")
    gi.require_version("GstSdp", "1.0")
    gi.require_version("GstWebRTC", "1.0")
    import websockets
    from websockets.legacy.server import serve  # which old and new releases have
except (ValueError, ImportError) as missing:
    print(missing, "(Debian: gir1.2-gst-plugins-bad-1.0, python3-websockets)")
    sys.exit(77)
from gi.repository import Gst, GstSdp, GstWebRTC  # noqa: E402

warnings.simplefilter("ignore", DeprecationWarning)     # GValueArray is what bindings can read
TRANSPORT = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
FEEDBACK = f"extmap-5=(string){TRANSPORT},rtcp-fb-transport-cc=(boolean)true"
CAPS = f"application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96,{FEEDBACK}"
PICTURES_CAPS = (f"application/x-rtp,media=video,encoding-name=VP8,clock-rate=90000,payload=98,{FEEDBACK},"
                 "rtcp-fb-nack-pli=(boolean)true")
PICTURES = ("videoconvert ! vp8enc deadline=1 cpu-used=8 end-usage=cbr target-bitrate=150000 "
            "buffer-initial-size=500 buffer-optimal-size=600 buffer-size=1000 max-intra-bitrate=300 ! "
            f"tfrcencodercontrol max-bitrate=1000000 ! rtpvp8pay pt=98 mtu=1200 picture-id-mode=2 ! {PICTURES_CAPS}")
RED = 110                       # payload type of redundant copies (RFC 2198), none that webrtcbin takes for RTX
FIELDS = ("feedback", "allowed-rate", "loss-event-rate", "round-trip-time", "reports", "packets")
PAGE = pathlib.Path(__file__).with_name("index.html")
RTCP_S = 6                      # from one sender report to the next; at 5, the default, GStreamer makes it less than 1
TELL_S = 0.25                   # from one line of the plot to the next


def add_red(offer):
    """The offer with redundant copies, which webrtcbin cannot describe: their a=fmtp has no names."""
    return re.sub(r"(m=audio [^\r\n]* 96)\b(.*?)(a=rtpmap:96 [^\r\n]*\r\n)",
                  rf"\1 {RED}\2\3a=rtpmap:{RED} red/48000/2\r\na=fmtp:{RED} 96/96\r\n", offer, count=1, flags=re.S)


def take_red(answer):
    """The answer without redundant copies, and whether it had them."""
    without = re.sub(rf"(m=audio [^\r\n]*) {RED}\b", r"\1", answer)
    return re.sub(rf"a=(rtpmap|fmtp|rtcp-fb):{RED} [^\r\n]*\r\n", "", without), f"a=rtpmap:{RED} red/" in answer


def make_sender(_webrtc, _transport):
    return Gst.ElementFactory.make("rtptfrcsend", "tfrc")


def get_flow(sender, payloader):
    """The statistics of the voice, beside which there may be pictures; None until it has begun."""
    caps = payloader.get_static_pad("src").get_current_caps()
    if not sender or not caps:
        return None
    stats = sender.get_property("stats")
    flows = stats.get_array("flows")[1]
    for i in range(flows.n_values):
        flow = flows.get_nth(i)
        if flow.get_value("ssrc") == caps.get_structure(0).get_value("ssrc"):
            found = {key: flow.get_value(key) for key in FIELDS}
            return {**found, "equation": flow.get_value("rfc").get_value("X-Bps")}
    return None


class Call:
    """The call with one page. GStreamer calls back in threads of its own, and what they have to say
    goes to the page through the event loop."""

    def __init__(self, socket, source, pictures, sink, plots, encoder="", latency=None):
        self.socket, self.sink, self.plots, self.loop = socket, sink, plots, asyncio.get_running_loop()
        self.latency = latency
        self.pipeline = Gst.parse_launch(
            f"webrtcbin name=webrtc bundle-policy=max-bundle latency=60 {source} ! audioconvert ! audioresample ! "
            f"tfrcencodebin name=encoder extension-id=0 red-pt={RED} redundancy=0 copy-distance=0 {encoder} ! "
            f"{CAPS} ! webrtc."
            + (f" {pictures} ! {PICTURES} ! webrtc." if pictures else ""))
        self.encoder = self.pipeline.get_by_name("encoder")
        self.webrtc = self.pipeline.get_by_name("webrtc")
        if pictures:            # lost packets of a picture are sent again
            self.webrtc.emit("get-transceiver", 1).set_property("do-nack", True)
        self.handlers = [self.webrtc.connect(name, handler) for name, handler in (
            ("request-aux-sender", make_sender), ("on-ice-candidate", self.on_candidate),
            ("on-negotiation-needed", self.on_negotiation_needed), ("pad-added", self.on_pad))]

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
        self.tell({"offer": add_red(offer.sdp.as_text()), "latency": self.latency, "plots": self.plots})

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
            self.webrtc.get_by_name("rtpbin").emit("get-internal-session", 0).set_property(
                "rtcp-min-interval", RTCP_S * Gst.SECOND)
            text, red = take_red(message["answer"])
            if red:
                self.encoder.set_property("redundancy", 2)
            answer = GstWebRTC.WebRTCSessionDescription.new(
                GstWebRTC.WebRTCSDPType.ANSWER, GstSdp.SDPMessage.new_from_text(text)[1])
            self.webrtc.emit("set-remote-description", answer, Gst.Promise.new())
        elif message.get("candidate"):
            self.webrtc.emit("add-ice-candidate", message["sdpMLineIndex"], message["candidate"])
        elif "heard" in message or "seen" in message:
            print(json.dumps(message), flush=True)

    def get_plot(self):
        """What the page plots, and the program prints: bit/s, ms, s and a share. `equation` is what the throughput
        equation gives, which a voice that needs less is not allowed at once."""
        stats = get_flow(self.pipeline.get_by_name("tfrc"), self.encoder)
        if stats is None:
            return None
        return {"feedback": stats["feedback"], "rate": self.encoder.get_property("current-bitrate"),
                "frame": self.encoder.get_property("current-ptime") / Gst.MSECOND,
                "copies": self.encoder.get_property("current-redundancy"),
                "allowed": stats["allowed-rate"], "equation": 8 * stats["equation"],
                "p": stats["loss-event-rate"], "rtt": stats["round-trip-time"] / Gst.SECOND,
                "reports": stats["reports"], "packets": stats["packets"]}

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
                if self.plots:
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
            await asyncio.get_running_loop().run_in_executor(None, self.end)


    def end(self):
        """The handlers hold the call, which holds the pipeline."""
        self.pipeline.set_state(Gst.State.NULL)
        for handler in self.handlers:
            self.webrtc.disconnect(handler)


def is_own_name(host):
    """Whether `host` (NAME, or NAME:PORT) is no name that somebody else can give to this machine."""
    name = urllib.parse.urlsplit(f"//{host}").hostname or ""
    try:
        return name == "localhost" or ipaddress.ip_address(name.partition("%")[0]) is not None
    except ValueError:
        return False


async def serve_page(path, headers, any_name=False):
    """The page at /, and the WebSocket at /call, for no other page than this one. `any_name`: the certificate says what
    this machine is called. Without one, any site could give its own name to this address, and would be this page."""
    if not any_name and not is_own_name(headers.get("Host", "")):
        return http.HTTPStatus.FORBIDDEN, [], b"open the page by localhost or by an address, or use --cert\n"
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
    parser.add_argument("--pictures", help="elements that make pictures, of 320 to 640 columns (no pictures)")
    parser.add_argument("--encoder", default="", help="properties of tfrcencodebin, as in max-bitrate=24000")
    parser.add_argument("--latency", type=int, help="ms that the page's jitter buffer waits at least, up to 4000 "
                        "(the browser decides); on a thin path 400 spares the voice from being stretched")
    parser.add_argument("--sink", default="autoaudiosink", help="elements that play the page's microphone")
    parser.add_argument("--max-calls", type=int, default=10, help="pages that are called at one time (10)")
    parser.add_argument("--no-plots", action="store_false", dest="plots",
                        help="print the plots alone, and do not ask the page what it hears: in the page they take 10 "
                        "kbit/s of the path")
    parser.add_argument("--cert", help="certificate for HTTPS (PEM)")
    parser.add_argument("--key", help="its key")
    args = parser.parse_args()
    Gst.init(None)
    if Gst.ElementFactory.find("rtptfrcsend") is None:
        sys.exit("There is no element rtptfrcsend. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.")
    for factory in ("webrtcbin", "nicesrc"):
        if Gst.ElementFactory.find(factory) is None:
            print(f"no {factory} (Debian: gstreamer1.0-plugins-bad, gstreamer1.0-nice)")
            return 77
    context = None
    if args.cert:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(args.cert, args.key)

    calls = asyncio.Semaphore(args.max_calls)

    async def on_page(socket):
        if calls.locked():
            await socket.close(1013, "all lines are busy")
            return
        async with calls:
            await Call(socket, args.source, args.pictures, args.sink, args.plots, args.encoder, args.latency).run()
    process = functools.partial(serve_page, any_name=context is not None)
    async with serve(on_page, args.host or None, args.port, ssl=context, process_request=process, max_size=1 << 18):
        print(f"open {'https' if context else 'http'}://localhost:{args.port}/", flush=True)
        await asyncio.Future()


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(main()))
    except KeyboardInterrupt:
        pass
