#!/usr/bin/python3
"""Runs a call over an emulated path, shows it live, sums it up and draws it.

examples/demo.sh calls this with everything built.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import csv
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import wave

HERE = pathlib.Path(__file__).resolve().parent
PLAIN_ENCODER = "opusenc name=encoder bitrate=64000 audio-type=voice ! rtpopuspay pt=96"
PLAIN_CAPS = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"


class Failed(Exception):
    """A process of the demo ended in an error; the message says which and how."""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="the build directory")
    parser.add_argument("--speech", help="what is said, a WAV file")
    parser.add_argument("--out", help="folder for the results (BUILD/demo)")
    parser.add_argument("--duration", type=float, default=60, metavar="S")
    parser.add_argument("--capacity", default="0:200,20:48,40:200", metavar="S:KBIT,...",
                        help="of the way there (%(default)s)")
    parser.add_argument("--delay", default="50", metavar="MS", help="each way (%(default)s)")
    parser.add_argument("--queue", default="300ms", help="300ms or 6000B (%(default)s)")
    parser.add_argument("--outage", default="52:0.2", metavar="S:S,...",
                        help="loss bursts, start:duration (%(default)s)")
    parser.add_argument("--loss", default="0", metavar="PERCENT", help="at random (%(default)s)")
    parser.add_argument("--mode", default="tfrc-sp", choices=("tfrc", "tfrc-sp"))
    parser.add_argument("--latency", default="150", metavar="MS", help="jitter buffer (%(default)s)")
    parser.add_argument("--plain", action="store_true",
                        help="Opus at 64 kbit/s over plain UDP, to compare")
    return parser.parse_args()


def free_port():
    """A port that is free, as is the next one."""
    for _ in range(100):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port
    raise Failed("no free UDP port")


class Process:
    """A child with its output in a file; Ctrl-C is for the demo, not for it."""

    def __init__(self, name, arguments, folder):
        self.name = name
        self.log = folder / f"{name}.log"
        with open(self.log, "w", encoding="utf-8") as log:
            self.child = subprocess.Popen(arguments, stdout=log, stderr=subprocess.STDOUT,
                                          stdin=subprocess.DEVNULL, start_new_session=True)

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def check(self):
        status = self.child.poll()
        if status not in (None, 0):
            said = self.output().strip().splitlines()
            raise Failed(f"the {self.name} failed (status {status}): "
                         + (said[-1] if said else "it said nothing")
                         + f"; see {self.log}")
        return status is None

    def wait_for(self, text, seconds):
        end = time.monotonic() + seconds
        while text not in self.output():
            if not self.check() or time.monotonic() > end:
                raise Failed(f"the {self.name} did not start in {seconds} s; see {self.log}")
            time.sleep(0.05)

    def stop(self, seconds=5):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
        try:
            self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


class Tail:
    """The complete lines that a CSV file has gained, as dicts of numbers."""

    def __init__(self, path):
        self.path, self.at, self.names, self.rest = path, 0, None, ""

    def read(self):
        try:
            with open(self.path, encoding="utf-8") as source:
                source.seek(self.at)
                text = source.read()
                self.at = source.tell()
        except FileNotFoundError:
            return []
        *lines, self.rest = (self.rest + text).split("\n")
        if lines and self.names is None:
            self.names = lines.pop(0).split(",")
        return [dict(zip(self.names, map(float, line.split(",")))) for line in lines]


def mean(rows, name, where=lambda row: True):
    values = [row[name] for row in rows if where(row)]
    return sum(values) / len(values) if values else 0.0


def start(options, folder):
    """Receiver, path and sender, in this order: each finds the next one listening."""
    programs = pathlib.Path(options.build) / "examples"
    receive, send = free_port(), free_port()
    receiver = [str(programs / "tfrc-receive"), "--port", str(receive), "--mode", options.mode,
                "--latency", options.latency]
    sender = [str(programs / "tfrc-send"), "--port", str(send), "--mode", options.mode,
              "--duration", str(options.duration), "--trace", str(folder / "sender.csv")]
    if options.plain:
        receiver += ["--decoder", "rtpopusdepay ! opusdec plc=true", "--source",
                     f"udpsrc port={receive} caps={PLAIN_CAPS} "
                     f"! rtpjitterbuffer latency={options.latency} do-lost=true"]
        sender += ["--encoder", PLAIN_ENCODER, "--sink",
                   f"udpsink name=sink host=127.0.0.1 port={send} sync=false async=false"]
    processes = []
    try:
        processes.append(Process("receiver", receiver + [str(folder / "received.wav")], folder))
        processes[0].wait_for("listening", 10)
        processes.append(Process("path", [
            str(programs / "tfrc-path"), "--capacity", options.capacity, "--queue", options.queue,
            "--delay", options.delay, "--delay-back", options.delay, "--outage", options.outage,
            "--loss", options.loss, "--csv", str(folder / "path.csv"), "--interval", "0.1",
            str(send), f"127.0.0.1:{receive}"], folder))
        time.sleep(0.2)
        processes[1].check()
        processes.append(Process("sender", sender + [options.speech], folder))
    except BaseException:
        stop(processes)
        raise
    return processes


def stop(processes):
    """The sender first, so that the receiver gets its BYE."""
    for process in reversed(processes):
        process.stop()


HEAD = ("  time  capacity  on the wire  allowed   codec  frame  packet    RTT  loss events"
        "  queue  lost\n"
        "     s    kbit/s       kbit/s   kbit/s  kbit/s     ms   bytes     ms    p in %    "
        "     ms")


def live_line(path, sent):
    """One second of both traces as a line."""
    last = sent[-1] if sent else dict.fromkeys(
        ("allowed_bps", "encoder_bps", "frame_ms", "rtt_ms", "p"), 0.0)
    packets = sum(row["packets"] for row in sent)
    payload = sum(row["payload_bytes"] * row["packets"] for row in sent)
    codec = last["encoder_bps"] or payload * 8
    lost = sum(row["tail_drops"] + row["random_drops"] + row["outage_drops"] for row in path)
    return (f"{path[-1]['time_s']:6.0f}{path[0]['capacity_kbps']:10.0f}"
            f"{mean(path, 'offered_kbps'):13.1f}{last['allowed_bps'] / 1e3:9.1f}"
            f"{codec / 1e3:8.1f}{last['frame_ms']:7.0f}"
            f"{payload / packets if packets else 0:8.0f}{last['rtt_ms']:7.0f}"
            f"{100 * last['p']:10.2f}{max(row['queue_max_ms'] for row in path):13.0f}{lost:6.0f}")


def follow(processes, folder):
    """Prints a line a second until the sender has finished."""
    path_tail, sender_tail = Tail(folder / "path.csv"), Tail(folder / "sender.csv")
    path, sent, printed = [], [], 0
    print(HEAD, flush=True)
    while all(process.check() for process in processes):
        time.sleep(0.1)
        path += path_tail.read()
        sent += sender_tail.read()
        while len(path) >= printed + 10:
            second = path[printed:printed + 10]
            begin, end = second[0]["monotonic_s"] - 0.1, second[-1]["monotonic_s"]
            print(live_line(second, [row for row in sent if begin < row["monotonic_s"] <= end]),
                  flush=True)
            printed += 10
    for process in processes:
        process.check()


def merge(folder):
    """One row for each tenth of a second: what the sender did, what the path did."""
    path, sent = Tail(folder / "path.csv").read(), Tail(folder / "sender.csv").read()
    if not path or not sent:
        raise Failed("nothing was sent")
    rows, at = [], 0
    for row in path:
        while at + 1 < len(sent) and sent[at + 1]["monotonic_s"] <= row["monotonic_s"]:
            at += 1
        both = {**sent[at], **row}
        both["sent"] = float(sent[at]["monotonic_s"] <= row["monotonic_s"] + 0.1)
        del both["monotonic_s"]
        rows.append(both)
    end = next((i for i in range(len(rows), 0, -1) if rows[i - 1]["offered_kbps"] > 0), 0)
    rows = rows[:end]
    with open(folder / "trace.csv", "w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return rows


def phases(rows):
    """The stretches of constant capacity."""
    found = []
    for row in rows:
        if not found or found[-1][0]["capacity_kbps"] != row["capacity_kbps"]:
            found.append([])
        found[-1].append(row)
    return found


def first_time(rows, holds, seconds):
    """When `holds` was true on the mean of `seconds` for the first time, from the first row on."""
    n = round(seconds * 10)
    for i in range(len(rows) - n + 1):
        if holds(rows[i:i + n]):
            return rows[i + n - 1]["time_s"] - rows[0]["time_s"]
    return None


def statistics(text):
    """The numbers of a GstStructure as it prints itself."""
    return {name: float(value) for name, value in
            re.findall(r"([a-z0-9-]+)=\([a-z0-9]+\)([-+0-9.e]+)", text)}


def print_phases(rows):
    print("\n  from    to  capacity  on the wire   codec  frame  packet  RTT mean/max   queue max"
          "  dropped")
    for part in phases(rows):
        sending = [row for row in part if row["packets"]]
        codec = "encoder_bps" if any(row["encoder_bps"] for row in sending) else "payload_bps"
        rtts = [row["rtt_ms"] for row in part]
        print(f"{part[0]['time_s'] - 0.1:6.0f}{part[-1]['time_s']:6.0f}{part[0]['capacity_kbps']:10.0f}"
              f"{mean(part, 'offered_kbps'):13.1f}{mean(sending, codec) / 1e3:8.1f}"
              f"{mean(sending, 'frame_ms'):7.0f}{mean(sending, 'payload_bytes'):8.0f}"
              f"{mean(part, 'rtt_ms'):9.0f} / {max(rtts):.0f} ms"
              f"{max(row['queue_max_ms'] for row in part):9.0f} ms"
              f"{sum(row['tail_drops'] for row in part):9.0f}")


def print_reactions(rows):
    """How fast the call followed each change of capacity."""
    parts = phases(rows)
    for before, after in zip(parts, parts[1:]):
        low, high = before[0]["capacity_kbps"], after[0]["capacity_kbps"]
        at = after[0]["time_s"] - 0.1
        if high < low:
            took = first_time(after, lambda some: mean(some, "offered_kbps") <= high, 0.5)
            said = f"within the new capacity after {took:.1f} s" if took is not None else \
                "never within the new capacity"
        else:
            aim = 0.9 * mean(before_drop(parts, before), "encoder_bps")
            took = first_time(after, lambda some: mean(some, "encoder_bps") >= aim, 0.5)
            said = f"the codec is back at nine tenths of its earlier bitrate after {took:.1f} s" \
                if took is not None else "the codec is not back at its earlier bitrate by the end"
        print(f"{at:.0f} s, {low:.0f} to {high:.0f} kbit/s: {said}")


def before_drop(parts, narrow):
    """The last five seconds before the capacity fell to that of `narrow`."""
    index = parts.index(narrow)
    return parts[index - 1][-50:] if index else narrow


def print_losses(rows, processes):
    receiver, sender = (statistics(processes[i].output()) for i in (0, 2))
    lost = {name: sum(row[name] for row in rows)
            for name in ("tail_drops", "random_drops", "outage_drops")}
    packets = sum(row["packets"] for row in rows)
    print(f"sent {packets:.0f} packets; the queue dropped {lost['tail_drops']:.0f}, the burst "
          f"{lost['outage_drops']:.0f}, chance {lost['random_drops']:.0f}")
    known = {"loss-events": "loss events", "packets-lost": "packets missed by the receiver",
             "reports": "reports to the sender", "nofeedback-expiries": "expiries of the "
             "nofeedback timer", "drops": "packets dropped before departure"}
    told = [f"{value:.0f} {known[name]}" for name, value in {**receiver, **sender}.items()
            if name in known]
    if told:
        print(", ".join(told))


def print_quality(options, folder):
    received = folder / "received.wav"
    with wave.open(str(received)) as sound:
        print(f"received {sound.getnframes() / sound.getframerate():.1f} s of voice")
    if not options.plain:
        sys.stdout.flush()
    done = subprocess.run([os.environ.get("TFRC_PYTHON", "/usr/bin/python3"),
                           str(HERE / "quality.py"), options.speech, str(received)], check=False)
    return done.returncode == 0


def print_summary(options, folder, rows, processes):
    print_phases(rows)
    print()
    if not options.plain:
        print_reactions(rows)
    print_losses(rows, processes)
    print_quality(options, folder)
    import demoplot  # not needed by those who use this file's other parts
    image = folder / "demo.png"
    what = "Opus at 64 kbit/s over plain UDP" if options.plain else \
        f"A call through tfrcencodebin ! tfrcsink mode={options.mode}"
    demoplot.draw(rows, image, f"{what}; {options.delay} ms each way, queue {options.queue}")
    print(f"\nplot   {image}\ntrace  {folder / 'trace.csv'}\nsound  {folder / 'received.wav'}"
          f"   (said: {options.speech})")


def run(options, folder):
    processes = start(options, folder)
    try:
        follow(processes, folder)
    except KeyboardInterrupt:
        print("\nstopping")
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        stop(processes)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for process in processes:
        process.check()
    print_summary(options, folder, merge(folder), processes)
    return 0


def main():
    options = parse_arguments()
    folder = pathlib.Path(options.out or
                          f"{options.build}/demo{'-plain' if options.plain else ''}")
    folder.mkdir(parents=True, exist_ok=True)
    for old in ("path.csv", "sender.csv", "trace.csv", "received.wav", "demo.png"):
        (folder / old).unlink(missing_ok=True)
    try:
        return run(options, folder)
    except Failed as failure:
        print(f"demo: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
