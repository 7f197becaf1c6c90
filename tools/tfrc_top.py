#!/usr/bin/python3
"""Shows the calls of processes that serve metrics of gst-tfrc, live in the terminal.

  tfrc-top [PORT | HOST:PORT | URL]...         9464 when none is given; q ends it, arrows scroll
  tfrc-top --once PORT                         a table of one second, for scripts
  tfrc-top --record calls.csv PORT             keeps what is shown in a file as well
  tfrc-top --plot call.png calls.csv           draws a call of such a file

A process serves metrics when it was started with GST_TRACERS="tfrcmetrics(port=9464)".

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import argparse
import concurrent.futures
import contextlib
import csv
import curses
import pathlib
import re
import sys
import time
import urllib.error
import urllib.request

MAX_TEXT = 64 << 20             # bytes of a scrape
TIMEOUT = 3                     # s
SAMPLE = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+.\w]+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
ESCAPES = {"n": "\n"}

# Columns of the table: heading, width (negative: to the left), how a call says it.
COLUMNS = (
    ("CALL", -30, lambda call: call.name),
    ("STATE", -10, lambda call: call.state),
    ("CODEC", -18, lambda call: call.point),
    ("ALLOWED", 8, lambda call: kilobits(call.get("sender_allowed_rate_bytes_per_second"))),
    ("SENT", 7, lambda call: kilobits(call.rate("sender_bytes_total"))),
    ("RECEIVED", 9, lambda call: kilobits(call.rate("receiver_bytes_total"))),
    ("RTT", 6, lambda call: scaled(call.rtt, 1000, 0)),
    ("p", 6, lambda call: scaled(call.get("sender_loss_event_ratio", "receiver_loss_event_ratio"), 100, 2)),
    ("LOST", 6, lambda call: scaled(call.loss, 100, 1)),
    ("JITTER", 7, lambda call: scaled(call.get("receiver_jitter_seconds"), 1000, 0)),
    ("MOS", 5, lambda call: scaled(call.encoder.get("expected_mos"), 1, 1)),
    ("BREAKER", 8, lambda call: call.breaker),
    ("REFUSED", 8, lambda call: scaled(call.refused, 1, 0)),
)
HEAD_UNITS = "rates in kbit/s, RTT and JITTER in ms, p and LOST in %"
FIELDS = ("time_s", "process", "call", "state", "allowed_bps", "offered_kbps", "encoder_bps", "packets",
          "payload_bytes", "frame_ms", "rtt_ms", "p", "lost", "mos")


def scaled(value, factor, digits):
    return "-" if value is None else f"{value * factor:.{digits}f}"


def kilobits(rate):
    return scaled(rate, 8e-3, 1)


def printable(text):
    """What a terminal may be given of a text from elsewhere."""
    return "".join(c if c.isprintable() else "?" for c in text)


# --- scrapes

def make_url(process):
    if "://" in process:
        return process
    return f"http://{process if ':' in process else '127.0.0.1:' + process}/metrics"


def parse(text):
    """The samples of a scrape: name, labels, value."""
    for line in text.splitlines():
        match = SAMPLE.match(line)
        if match:
            labels = {name: re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[1]), value)
                      for name, value in LABEL.findall(match[2] or "")}
            yield match[1], labels, float(match[3])


class Call:
    """A flow of a process at one moment, with the moment before it for rates."""

    def __init__(self, process, key):
        self.process = process
        self.key = key                  # element, peer, ssrc
        self.now = self.seconds = None  # s
        self.info, self.values, self.encoder = {}, {}, {}
        self.before = None
        self.state = self.breaker = "-"
        self.refused = 0.0

    def add(self, name, labels, value):
        if "state" in labels:
            if value and name == "tfrc_connection_state":
                self.state = labels["state"]
            elif value and name == "tfrc_circuit_breaker_state":
                self.breaker = labels["state"]
        elif name == "tfrc_flow_info":
            self.info = labels
        elif name == "tfrc_flow_refused_packets_total":
            self.refused += value
        else:
            short = name.removeprefix("tfrc_")
            self.values[short] = self.values.get(short, 0.0) + value

    def get(self, *names):
        """The first of these that the flow has and that is not 0, or 0 when it has one."""
        found = [self.values[name] for name in names if name in self.values]
        return next((value for value in found if value), found[0] if found else None)

    def difference(self, name):
        """What a counter grew by since the moment before; None: it is not known."""
        if self.before is None or name not in self.values or name not in self.before.values:
            return None
        grown = self.values[name] - self.before.values[name]
        return grown if grown >= 0 else None

    def rate(self, name):
        grown = self.difference(name)
        return None if grown is None or not self.seconds else grown / self.seconds

    @property
    def rtt(self):
        return self.get("sender_round_trip_time_seconds", "receiver_round_trip_time_seconds") or None

    @property
    def loss(self):
        """The share of lost packets, of those that arrive or of those that the remote reports."""
        lost, came = self.difference("receiver_lost_packets_total"), self.difference("receiver_packets_total")
        if lost is None or came is None:
            return self.get("session_remote_lost_ratio")
        return lost / (lost + came) if lost + came else None

    @property
    def name(self):
        element, peer, ssrc = self.key
        what = self.info.get("label") or self.info.get("address") or ssrc
        return printable(element.rpartition(":")[2] + ("/" + peer if peer else "") + (" " + what if what else ""))

    @property
    def point(self):
        """Codec, kbit/s, ms in a packet, copies: "OPUS 24/20 +1"."""
        if "rate_bytes_per_second" not in self.encoder:
            return "-"
        copies = self.encoder.get("redundant_copies", 0)
        text = f"{self.encoder.get('codec', '')} {self.encoder['rate_bytes_per_second'] * 8e-3:.0f}"
        if "packet_time_seconds" in self.encoder:
            text += f"/{self.encoder['packet_time_seconds'] * 1e3:.0f}"
        return printable(text + (f" +{copies:.0f}" if copies else "") +
                         (" paused" if self.encoder.get("suspended") else "")).strip()

    def make_row(self, start):
        """What the plot of the demo takes."""
        packets = self.difference("sender_packets_total") or 0
        octets = self.difference("sender_bytes_total") or 0
        return {"time_s": round(self.now - start, 3), "process": self.process, "call": self.name, "state": self.state,
                "allowed_bps": 8 * (self.get("sender_allowed_payload_rate_bytes_per_second",
                                             "sender_allowed_rate_bytes_per_second") or 0),
                "offered_kbps": (self.rate("sender_bytes_total") or 0) * 8e-3,
                "encoder_bps": 8 * self.encoder.get("rate_bytes_per_second", 0), "packets": packets,
                "payload_bytes": octets / packets if packets else 0,
                "frame_ms": 1e3 * self.encoder.get("packet_time_seconds", 0), "rtt_ms": 1e3 * (self.rtt or 0),
                "p": self.get("sender_loss_event_ratio", "receiver_loss_event_ratio") or 0,
                "lost": max(self.difference("session_remote_lost_packets") or 0,
                            self.difference("receiver_lost_packets_total") or 0),
                "mos": self.encoder.get("expected_mos", 0)}


def read_calls(process, text, now):
    """The calls of a scrape. Samples of an element come before those of its flows are known, so flows are found
    first."""
    samples = list(parse(text))
    calls, encoders = {}, {}
    for name, labels, _ in samples:
        if name == "tfrc_flow_info":
            ssrc = labels.get("ssrc", "") if labels.get("kind", "").startswith("rtp") else ""
            key = labels.get("element", ""), labels.get("peer", ""), ssrc
            calls[key] = Call(process, key)
            calls[key].now = now
    for name, labels, value in samples:
        element, peer, ssrc = (labels.get(label, "") for label in ("element", "peer", "ssrc"))
        if name.startswith("tfrc_encoder_"):
            encoder = encoders.setdefault(element, {})
            encoder[name.removeprefix("tfrc_encoder_")] = value
            if name == "tfrc_encoder_info":
                encoder.update(flow=labels.get("flow"), peer=peer, codec=labels.get("codec", ""))
            continue
        call = calls.get((element, peer, ssrc)) or calls.get((element, peer, ""))
        for each in [call] if call else [c for key, c in calls.items() if key[0] == element and not peer and not ssrc]:
            each.add(name, labels, value)
    for encoder in encoders.values():
        for key, call in calls.items():
            if key[:2] == (encoder.get("flow"), encoder.get("peer")):
                call.encoder = encoder
    return calls


class Processes:
    """The processes that are watched."""

    def __init__(self, names):
        self.names = names
        self.calls = {name: {} for name in names}
        self.errors = {}

    def scrape(self, name):
        request = urllib.request.Request(make_url(name), headers={"Accept": "text/plain; version=0.0.4"})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            text, end = b"", time.monotonic() + TIMEOUT
            while piece := answer.read1(1 << 20):
                text += piece
                if len(text) > MAX_TEXT or time.monotonic() > end:
                    raise OSError(f"no end after {len(text)} bytes and {TIMEOUT} s")
            return text.decode("utf-8", "replace"), time.monotonic()

    def update(self):
        self.errors = {}
        with concurrent.futures.ThreadPoolExecutor(min(16, len(self.names))) as pool:
            for name, future in [(name, pool.submit(self.scrape, name)) for name in self.names]:
                try:
                    calls = read_calls(name, *future.result())
                except (OSError, ValueError) as error:
                    self.errors[name] = printable(str(error))
                    self.calls[name] = {}
                    continue
                for key, call in calls.items():
                    call.before = self.calls[name].get(key)
                    if call.before:
                        call.seconds = call.now - call.before.now
                        call.before.before = None
                self.calls[name] = calls

    def get_all(self):
        return [call for name in self.names for _, call in sorted(self.calls[name].items())]


# --- what is shown

def align(text, width):
    text = text[:abs(width)]
    return text.ljust(-width) if width < 0 else text.rjust(width)


def make_line(texts, skipped=0):
    """The first column stays when others are scrolled away."""
    cells = [align(text, width) for text, (_, width, _) in zip(texts, COLUMNS)]
    return " ".join(cells[:1] + cells[1 + skipped:])


def make_lines(processes, skipped=0):
    """The lines below the head of the table."""
    lines = []
    for name in processes.names:
        if name in processes.errors:
            lines.append(f"{printable(name)}: {processes.errors[name]}")
        elif len(processes.names) > 1:
            lines.append(f"{printable(name)}:")
        lines += [make_line([show(call) for _, _, show in COLUMNS], skipped)
                  for _, call in sorted(processes.calls[name].items())]
    return lines


def make_head(skipped=0):
    return make_line([name for name, _, _ in COLUMNS], skipped)


class Recorder:
    """A file of rows; does nothing without a name."""

    def __init__(self, name):
        self.start = time.monotonic()
        self.file = open(name, "w", newline="", encoding="utf-8") if name else None  # noqa: SIM115
        self.writer = csv.DictWriter(self.file, FIELDS) if name else None
        if name:
            self.writer.writeheader()

    def record(self, processes):
        if self.writer:
            self.writer.writerows(call.make_row(self.start) for call in processes.get_all() if call.seconds)
            self.file.flush()


def show_once(processes, recorder, interval):
    processes.update()
    time.sleep(interval)
    processes.update()
    recorder.record(processes)
    print("\n".join([make_head(), *make_lines(processes)]))
    return 0 if len(processes.errors) < len(processes.names) else 1


def paint(screen, processes, top, skipped):
    height, width = screen.getmaxyx()
    rows = [(f"{time.strftime('%H:%M:%S')}  {HEAD_UNITS}  (q ends)", curses.A_BOLD),
            (make_head(skipped), curses.A_REVERSE)]
    rows += [(line, curses.A_NORMAL) for line in make_lines(processes, skipped)[top:]]
    screen.erase()
    for y, (line, attribute) in enumerate(rows[:height]):
        screen.insnstr(y, 0, line.ljust(width), width, attribute)
    screen.refresh()


MOVES = {curses.KEY_DOWN: (1, 0), curses.KEY_UP: (-1, 0), curses.KEY_NPAGE: (10, 0), curses.KEY_PPAGE: (-10, 0),
         curses.KEY_RIGHT: (0, 1), curses.KEY_LEFT: (0, -1)}


def follow(screen, processes, recorder, interval):
    """Reads keys between two scrapes."""
    with contextlib.suppress(curses.error):     # not every terminal can hide the cursor
        curses.curs_set(0)
    top, skipped, due = 0, 0, 0.0
    while True:
        if time.monotonic() >= due:
            processes.update()
            recorder.record(processes)
            due = time.monotonic() + interval
        paint(screen, processes, top, skipped)
        screen.timeout(max(1, round(1000 * (due - time.monotonic()))))
        key = screen.getch()
        if key == ord("q"):
            return
        down, right = MOVES.get(key, (0, 0))
        top = max(0, min(top + down, len(make_lines(processes)) - 1))
        skipped = max(0, min(skipped + right, len(COLUMNS) - 2))


# --- the picture of a call

def find_drawing():
    """demoplot.py is beside this program in the source, and below share where it is installed."""
    here = pathlib.Path(__file__).resolve().parent
    for folder in (here.parent / "examples", here.parent / "share/gst-tfrc"):
        if (folder / "demoplot.py").exists():
            sys.path.insert(0, str(folder))
    try:
        import demoplot  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        sys.exit(f"tfrc-top: {error}: apt-get install python3-matplotlib")
    return demoplot


def plot(recording, picture, wanted):
    with open(recording, newline="", encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    calls = sorted({row["call"] for row in rows})
    chosen = [call for call in calls if wanted is None or wanted in call]
    if len(chosen) != 1:
        sys.exit(f"tfrc-top: --call NAME chooses one of: {', '.join(calls) or 'no call'}")
    numbers = [{name: float(value) for name, value in row.items() if name not in ("process", "call", "state")}
               for row in rows if row["call"] == chosen[0]]
    find_drawing().draw(numbers, picture, chosen[0])


def main():
    parser = argparse.ArgumentParser(prog="tfrc-top", description=__doc__.split("\nCopyright")[0],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("processes", nargs="*", metavar="PORT|URL", default=["9464"])
    parser.add_argument("--once", action="store_true", help="print one table and end")
    parser.add_argument("--interval", type=float, default=1.0, metavar="S", help="between two looks (%(default)s)")
    parser.add_argument("--record", metavar="FILE", help="write what is seen as CSV")
    parser.add_argument("--plot", metavar="PICTURE", help="draw a call of the file in the place of PORT|URL")
    parser.add_argument("--call", metavar="NAME", help="the call to draw, or a part of its name")
    options = parser.parse_args()
    if options.interval < 0.1:
        parser.error("--interval: 0.1 s or more")
    if options.plot:
        plot(options.processes[0], options.plot, options.call)
        return 0
    processes, recorder = Processes(list(dict.fromkeys(options.processes))), Recorder(options.record)
    if options.once:
        return show_once(processes, recorder, options.interval)
    if not sys.stdout.isatty():
        parser.error("the output is no terminal: --once prints a table")
    with contextlib.suppress(KeyboardInterrupt):
        curses.wrapper(follow, processes, recorder, options.interval)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
