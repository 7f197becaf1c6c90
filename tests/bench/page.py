#!/usr/bin/python3
# What a browser hears: examples/browser calls a headless Chromium over the paths of the voice bench, and what the page
# plays is recorded in the page. tfrcencodebin ! tfrcsink calls tfrcsrc ! tfrcdecodebin over the same paths. Prints
# wideband PESQ of both, and what TFRC allowed them. tests/bench/page.sh is the command; as root.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
import argparse
import pathlib
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "live"))
import browser  # noqa: E402
import namespaces  # noqa: E402
import voice  # noqa: E402

PATHS = ("thin24", "thin48", "step", "loss2", "loss10")
WINDOW = 8                      # s that get one score
SKIPPED = 2                     # of these windows, in which the call begins
QUEUE = {"thin24": "3000B", "thin48": "3000B"}  # 300 ms of 24 kbit/s are 900 bytes, and let no DTLS handshake pass
BAR_PESQ, BAR_ALLOWED = 0.3, 0.1
# Voice and pictures in one bundle, and for how many seconds
BUNDLE, BUNDLE_S = "--delay 20 --queue 200ms --capacity 0:500,24:200,48:500", 80
BAR_BUNDLE, BAR_STILL = 4.0, 2
KEY, ANSWER_KEY = "01" * 30, "02" * 30
AUTH = "srtp-auth=hmac-sha1-32"
HEAR = ("gst-launch-1.0", "-q", "-e")


class OwnCall(browser.Call):
    """A call to tfrcsrc in the other network. Packets have as many bytes as in the browser's call: they have the stamp
    of TFRC, and a shorter tag of SRTP."""

    def __init__(self, path, source, wav, latency, encoder):
        super().__init__()
        import gi
        gi.require_version("Gst", "1.0")
        from gi.repository import Gst
        Gst.init(None)
        self.join(path)
        self.receiver = subprocess.Popen(self.network.enter(*HEAR, *(
            f"tfrcsrc port=5004 mode=tfrc-sp {AUTH} srtp-key={ANSWER_KEY} srtp-remote-key={KEY} {latency} "
            "! tfrcdecodebin ! " + voice.LISTEN.format(wav=wav)).split()),
            start_new_session=True)
        self.children.append(self.receiver)
        time.sleep(1)
        self.pipeline = Gst.parse_launch(f"{source} ! audioconvert ! audioresample ! "
                                         f"tfrcencodebin name=encoder {encoder} ! "
                                         f"tfrcsink name=tfrc host={browser.THEIRS} port=5004 mode=tfrc-sp "
                                         f"{AUTH} srtp-key={KEY} srtp-remote-key={ANSWER_KEY}")
        self.Gst = Gst
        self.pipeline.set_state(Gst.State.PLAYING)

    def listen(self, seconds):
        sender, encoder = (self.pipeline.get_by_name(name) for name in ("tfrc", "encoder"))
        plots, until = [], time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.25)
            stats = sender.get_property("stats")            # owns what is in it
            plots.append({"allowed": sender.get_property("allowed-rate"),
                          "equation": 8 * stats.get_value("rfc").get_value("X-Bps"),
                          "rate": encoder.get_property("current-bitrate"),
                          "frame": encoder.get_property("current-ptime") / self.Gst.MSECOND,
                          "p": sender.get_property("loss-event-rate")})
        return plots

    def close(self):
        self.receiver.send_signal(signal.SIGINT)
        try:
            self.receiver.wait(10)
        finally:
            self.pipeline.set_state(self.Gst.State.NULL)
            super().close()


def score(args, wav, seconds):
    lines = subprocess.run([args.python, str(HERE / "voice_score.py"), str(args.speech), str(wav), str(seconds),
                            str(SKIPPED)], capture_output=True, text=True, check=True).stdout
    return [float(line) for line in lines.split()]


def summarize(plots, windows):
    """The allowance is that of the throughput equation: X of a flow that needs less is twice what arrives of it (RFC
    5348 4.3), whatever the path carries."""
    plots = [{**plot, "allowed": plot["equation"] if plot["p"] > 0 else plot["allowed"]}
             for plot in plots[4 * WINDOW * SKIPPED:]]
    return {"pesq": statistics.mean(windows), "least": min(windows), "windows": windows,
            **{key: browser.mean(plots, key) for key in ("allowed", "rate", "frame", "p")}}


def call_page(args, path, source, seconds):
    wav, call = args.out / "page.wav", browser.Call()
    try:
        call.begin(path, source, ["--no-plots", f"--encoder={args.encoder}", f"--latency={args.latency}"])
        plots, _ = call.listen(seconds)
        call.page.save(wav)
    finally:
        call.close()
    return summarize(plots, score(args, wav, seconds))


def call_bundle(args, source):
    """Voice with pictures: PESQ of the voice, and how the pictures fared."""
    wav, call = args.out / "page.wav", browser.Call()
    path = [*BUNDLE.split(), "--seed", str(args.seed)]
    try:
        call.begin(path, source, ["--pictures", browser.PICTURES, f"--encoder={args.encoder}",
                                  f"--latency={args.latency}"])
        plots, _ = call.listen(BUNDLE_S)
        seen = [line["seen"] for line in call.get("seen")]
        call.page.save(wav)
    finally:
        call.close()
    voiced = summarize(plots, score(args, wav, BUNDLE_S))
    still = browser.get_longest_still(seen[6:])
    pictures = browser.get_growth(seen, "bytes") * 8e-3 / (0.5 * (len(seen) - 1))
    print_row("bundle", "page", voiced)
    print(f"bundle   PESQ of the voice above {BAR_BUNDLE}: {'met' if voiced['pesq'] > BAR_BUNDLE else 'missed'}; "
          f"pictures of {pictures:.0f} kbit/s stood still for {still:.1f} s of {BAR_STILL} at most: "
          f"{'met' if still < BAR_STILL else 'missed'}", flush=True)
    return (voiced["pesq"] <= BAR_BUNDLE) + (still >= BAR_STILL)


def print_row(name, who, figures):
    print(f"{name:8} {who:6} {figures['pesq']:5.2f} {figures['least']:5.2f} {figures['allowed'] / 1000:8.1f} "
          f"{figures['rate'] / 1000:7.1f} {figures['frame']:6.1f} {100 * figures['p']:6.2f}  "
          + " ".join(f"{window:.2f}" for window in figures["windows"]), flush=True)


def call_own(args, path, source, seconds):
    wav = args.out / "own.wav"
    call = OwnCall(path, source, wav, f"latency={args.latency}", args.encoder)
    try:
        plots = call.listen(seconds + 2)
    finally:
        call.close()
    return summarize(plots, score(args, wav, seconds))


def main():
    parser = argparse.ArgumentParser(description="what a browser hears, beside our own receiver")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--speech", type=pathlib.Path, required=True, help="16 kHz mono WAV")
    parser.add_argument("--python", default=sys.executable, help="a Python that has pesq")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--latency", type=int, default=voice.LATENCY,
                        help="ms that both jitter buffers wait (%(default)s)")
    parser.add_argument("--encoder", default="", help="properties of tfrcencodebin in both calls, as in "
                        "'adaptive=false bitrate=12000 ptime=60000000': what a fixed setting gives")
    parser.add_argument("path", nargs="*", help=f"of {', '.join(PATHS)}, bundle; all")
    parser.add_argument(namespaces.INSIDE, action="store_true", help=argparse.SUPPRESS)
    namespaces.enter("chromium")
    args = parser.parse_intermixed_args()
    source = voice.SPEECH.format(speech=args.speech).rpartition("! audioconvert !")[0].rstrip()
    missed = 0
    print(f"{'path':8} {'':6} {'PESQ':>5} {'min':>5} {'allowed':>8} {'codec':>7} {'frame':>6} {'p %':>6}")
    for name in args.path or (*PATHS, "bundle"):
        if name == "bundle":
            missed += call_bundle(args, source)
            continue
        options, seconds, _ = voice.SCENARIOS[name]
        path = [*options.replace("300ms", QUEUE.get(name, "300ms")).split(), "--seed", str(args.seed)]
        found = {who: call(args, path, source, seconds) for who, call in (("page", call_page), ("own", call_own))}
        for who, figures in found.items():
            print_row(name, who, figures)
        near = found["page"]["pesq"] > found["own"]["pesq"] - BAR_PESQ
        ratio = found["page"]["allowed"] / found["own"]["allowed"]
        like = abs(ratio - 1) < BAR_ALLOWED
        print(f"{name:8} PESQ of the page within {BAR_PESQ} of our receiver's: {'met' if near else 'missed'}; "
              f"allowance {ratio:.2f} of native TFRC's: {'met' if like else 'missed'}", flush=True)
        missed += 2 - near - like
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
