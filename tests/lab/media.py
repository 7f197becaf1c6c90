"""Media over congestion control: RFC 8867's cases, queues, paths and capacity traces, with RFC 8868's metrics.

Every call is video and voice in the same direction. Its video is sent by TFRC or by NADA, and the voice by TFRC-SP
with the shipped chooser; a greedy TCP flow in place of the video shows what its congestion control makes of the case.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import os
from dataclasses import dataclass, field

import traces
from runner import job

DELAY, QUEUE_MS = 50, 300       # one way and drop-tail, RFC 8867 4
MEAN = 1000                     # bytes
STACKS = ("tfrc", "nada", "reno", "cubic", "bbr")
TCPS = {"reno": "TcpLinuxReno", "cubic": "TcpCubic", "bbr": "TcpBbr"}
VIDEO_MAX = 1500                # kbit/s, RFC 8867 4
USABLE = 1640                   # kbit/s that such a video takes on the wire at most


@dataclass
class Flow:
    name: str
    start: float = 0
    stop: float = None
    rtt: float = 2 * DELAY
    reverse: bool = False
    pause: tuple = None


@dataclass
class Case:
    name: str
    title: str
    calls: list
    steps: list                 # (from second on, kbit/s)
    duration: float
    back: list = None           # the same of the way back
    beside: list = field(default_factory=list)  # flow words of other traffic
    queue_ms: float = QUEUE_MS
    delay: float = DELAY        # ms, of the bottleneck's link


def cases():
    """RFC 8867 5.1 to 5.8."""
    two_way = [Flow("a"), Flow("b", reverse=True)]
    yield Case("5.1", "variable capacity, one flow", [Flow("a")],
               [(0, 1000), (40, 2500), (60, 600), (80, 1000)], 100)
    yield Case("5.2", "variable capacity, two flows", [Flow("a"), Flow("b")],
               [(0, 4000), (25, 2000), (50, 3500), (75, 1000), (100, 2000)], 125)
    yield Case("5.3", "congested feedback, media both ways", two_way,
               [(0, 2000), (20, 1000), (40, 500), (60, 2000)], 100, back=[(0, 2000), (35, 800), (70, 2000)])
    yield Case("5.4", "three flows that start one after the other",
               [Flow("a"), Flow("b", start=20), Flow("c", start=40)], [(0, 3500)], 120)
    yield Case("5.5", "five flows with round-trip times of 20 to 300 ms",
               [Flow(name, start=10 * i, rtt=2 * one_way)
                for i, (name, one_way) in enumerate(zip("abcde", (10, 25, 50, 100, 150)))], [(0, 4000)], 300, delay=10)
    for ms in (QUEUE_MS, 1000):
        yield Case(f"5.6, {ms} ms", "media both ways beside a long TCP flow", two_way, [(0, 2000)], 120,
                   beside=["tcp:name=long,rtt=100,window=400,cc=TcpLinuxReno,start=0.5"], queue_ms=ms)
    yield Case("5.7", "two flows beside short TCP flows", [Flow("a"), Flow("b")], [(0, 2000)], 300,
               beside=["web:n=10,pages=100,objects=1,mean=28,shape=100,size=1460,rtt=100,between=10"])
    yield Case("5.8", "one of three flows pauses", [Flow("a"), Flow("b", pause=(40, 60)), Flow("c")], [(0, 3500)], 120)


def words(name, kind, flow, **more):
    parts = {"name": name, "rtt": f"{flow.rtt:g}", "spread": "0", "start": f"{flow.start + 0.01:g}", **more}
    if flow.reverse:
        parts["reverse"] = "1"
    if flow.stop:
        parts["stop"] = f"{flow.stop:g}"
    return f"{kind}:" + ",".join(f"{k}={v}" for k, v in parts.items())


def call(stack, flow, ecn="0", **more):
    """The flow words of one call."""
    pause = {"pause": "{}-{}".format(*flow.pause)} if flow.pause else {}
    if stack in TCPS:
        yield words(f"{flow.name}-video", "tcp", flow, window="400", cc=TCPS[stack], ecn=ecn)
    else:
        yield words(f"{flow.name}-video", stack, flow, media="video", max=str(VIDEO_MAX), ecn=ecn, **pause, **more)
    yield words(f"{flow.name}-voice", "tfrc", flow, media="voice", mode="tfrc-sp", ecn=ecn, **pause, **more)


def droptail(kbps, ms):
    return {"queue": "droptail-byte", "limit": round(ms * kbps / 8 / MEAN, 3)}


def queues(kbps):
    """name: the words of each queue; RED has its thresholds at a third and at all of its limit."""
    packets = round(QUEUE_MS * kbps / 8 / MEAN)
    yield "drop-tail", droptail(kbps, QUEUE_MS)
    for name, kind in (("RED", {"queue": "red-byte", "limit": 2 * packets, "minth": packets // 6,
                                "maxth": packets // 2}),
                       ("CoDel", {"queue": "codel", "limit": 1000}), ("FQ-CoDel", {"queue": "fq-codel", "limit": 1000}),
                       ("PIE", {"queue": "pie", "limit": 1000})):
        yield name, kind
        yield name + ", ECN", {**kind, "mark": 1}


def path(kbps, duration, begin=20, delay=DELAY, **more):
    return {"stage": "ns3", "rate": f"{kbps:g}kbps", "delay": delay, "duration": duration, "from": begin, "series": 1,
            "mean_packet": MEAN, **more}


def rates(steps):
    return "/".join(f"{at:g}:{rate:g}kbps" for at, rate in steps)


def run_of_case(case, stack):
    flows = [one for flow in case.calls for one in call(stack, flow)] + case.beside
    more = {"back_rates": rates(case.back)} if case.back else {}
    # RFC 8867's queue is so many milliseconds of the capacity at the start.
    return path(case.steps[0][1], case.duration, delay=case.delay, rates=rates(case.steps), flow=tuple(flows),
                **droptail(case.steps[0][1], case.queue_ms), **more)


def run_beside(queue, tcp, kbps=2000, rtt=100, **more):
    ecn = str(queue.get("mark", 0))
    flows = [*call("tfrc", Flow("a", rtt=rtt), ecn=ecn, **more)]
    if tcp:
        flows.append(words("tcp", "tcp", Flow("tcp", start=1, rtt=rtt), window="400", cc=TCPS[tcp], ecn=ecn))
    return path(kbps, 100, delay=min(DELAY, rtt / 2), flow=tuple(flows), **queue)


def run_of_trace(kind, stack, seed):
    capacities = getattr(traces, kind)(100, seed)
    return path(1000, 100, rates=traces.schedule(capacities), flow=tuple(call(stack, Flow("a"))),
                **droptail(1000, QUEUE_MS))


# --- metrics ---------------------------------------------------------------------

def series(result, flow, metric, duration):
    return [result[flow].get(f"{metric}@{t}", 0.0) for t in range(1, math.ceil(duration) + 1)]


def mean(values):
    values = [v for v in values if not math.isnan(v)]
    return sum(values) / len(values) if values else math.nan


def capacity_at(steps, second):
    return [rate for at, rate in steps if at <= second][-1]


def segments(case):
    """(from, to) in s: from each change of capacity or of the flows to the next."""
    changes = {at for at, _ in case.steps} | {f.start for f in case.calls} | {
        at for f in case.calls for at in f.pause or ()}
    ends = sorted(changes | {case.duration})
    return [(int(a), int(b)) for a, b in zip(ends, ends[1:])]


def convergence(rates_of, begin, end):
    """s from `begin` until the mean of 3 s stays within a quarter of what it is over the last half."""
    final = mean(rates_of[(begin + end) // 2:end])
    if not final:
        return math.nan
    for at in range(begin, end - 2):
        means = [mean(rates_of[t:t + 3]) for t in range(at, end - 2)]
        if all(abs(m / final - 1) <= 0.25 for m in means):
            return at - begin
    return end - begin


def oscillation(values):
    average = mean(values)
    if not average:
        return math.nan
    return math.sqrt(mean([(v - average) ** 2 for v in values])) / average


def jain(values):
    return sum(values) ** 2 / (len(values) * sum(v * v for v in values)) if any(values) else math.nan


def forward(case):
    return [f for f in case.calls if not f.reverse]


def measure_case(case, result):
    """RFC 8868's metrics of a case, over the forward direction and all segments."""
    flows = [f"{f.name}-video" for f in forward(case)]
    video = {name: series(result, name, "rate", case.duration) for name in flows}
    voice = {f.name: series(result, f"{f.name}-voice", "rate", case.duration) for f in forward(case)}
    used = possible = 0.0
    times, swings, fair = [], [], []
    for begin, end in segments(case):
        active = [f"{f.name}-video" for f in forward(case)
                  if f.start <= begin and not (f.pause and f.pause[0] <= begin < f.pause[1])]
        for name in active:
            times.append(convergence(video[name], begin, end))
            swings.append(oscillation(video[name][(begin + end) // 2:end]))
        if len(active) > 1:
            fair.append(jain([mean(video[name][(begin + end) // 2:end]) for name in active]))
    for second in range(20, int(case.duration)):
        used += sum(v[second] for v in (*video.values(), *voice.values()))
        possible += capacity_at(case.steps, second)
    return {"utilisation": used / possible, "convergence": mean(times), "oscillation": mean(swings),
            "fairness": mean(fair), **call_metrics(result, [f.name for f in case.calls])}


def call_metrics(result, names):
    """Means over the calls; NaN for what a flow does not measure."""
    def of(kind, metric):
        return mean([result[f"{n}-{kind}"].get(metric, math.nan) for n in names])
    return {"video_kbps": of("video", "goodput_kbps"), "voice_kbps": of("voice", "codec_kbps"),
            "loss": of("voice", "loss"), "video_loss": of("video", "loss"),
            "p50": of("voice", "delay_p50"), "p95": of("voice", "delay_p95"), "p99": of("voice", "delay_p99"),
            "frame_p95": of("video", "frame_delay_p95"), "missing": of("video", "frames_missing"),
            "unheard": of("voice", "unheard"), "ear": of("voice", "mouth_to_ear_ms"),
            "listening": of("voice", "mos_listening"), "mos": of("voice", "mos"),
            "tcp_kbps": result.get("tcp", {}).get("goodput_kbps", math.nan),
            "switches": of("voice", "switches_per_min")}


# --- the page ----------------------------------------------------------------------

COLUMNS = {                     # metric: (heading, format, factor)
    "utilisation": ("utilisation", "{:.2f}", 1), "convergence": ("convergence, s", "{:.0f}", 1),
    "oscillation": ("oscillation", "{:.2f}", 1), "fairness": ("fairness", "{:.2f}", 1),
    "video_kbps": ("video, kbit/s", "{:.0f}", 1), "tcp_kbps": ("TCP, kbit/s", "{:.0f}", 1),
    "share": ("video to TCP", "{:.2f}", 1), "p50": ("delay p50", "{:.0f}", 1), "p95": ("p95", "{:.0f}", 1),
    "p99": ("p99, ms", "{:.0f}", 1), "frame_p95": ("video frame p95, ms", "{:.0f}", 1),
    "missing": ("frames missing, %", "{:.1f}", 100), "video_loss": ("video loss, %", "{:.1f}", 100),
    "loss": ("voice loss, %", "{:.1f}", 100), "voice_kbps": ("voice, kbit/s", "{:.0f}", 1),
    "unheard": ("unheard, %", "{:.1f}", 100), "ear": ("mouth to ear, ms", "{:.0f}", 1),
    "listening": ("MOS listening", "{:.2f}", 1), "mos": ("MOS", "{:.2f}", 1)}
CASE_COLUMNS = ("utilisation", "convergence", "oscillation", "fairness", "video_kbps", "frame_p95", "missing", "p50",
                "p95", "p99", "loss", "voice_kbps", "unheard", "mos")
QUEUE_COLUMNS = ("video_kbps", "tcp_kbps", "share", "video_loss", "frame_p95", "missing", "p50", "p95", "p99", "loss",
                 "voice_kbps", "unheard", "ear", "listening", "mos")


def cell(values, metric):
    """The mean over seeds."""
    _, form, factor = COLUMNS[metric]
    value = mean([v.get(metric, math.nan) for v in values])
    return "" if math.isnan(value) else form.format(value * factor)


def table(heads, rows, columns):
    """`rows` are (cells, [metrics of each seed])."""
    names = [*heads, *(COLUMNS[c][0] for c in columns)]
    yield "| " + " | ".join(names) + " |"
    yield "|" + " --- |" * len(names)
    for cells, values in rows:
        if values:
            yield "| " + " | ".join([*cells, *(cell(values, c) for c in columns)]) + " |"
    yield ""


class Study:
    """All runs of the command: `load` gives what a run printed, or None."""

    def __init__(self, seeds, load):
        self.seeds, self.load = seeds, load

    def cases(self):
        for case in cases():
            for stack in STACKS:
                yield case, stack, [run_of_case(case, stack)] * self.seeds

    def beside(self):
        for name, queue in queues(2000):
            for tcp in TCPS:
                yield name, tcp, [run_beside(queue, tcp)] * self.seeds

    def paths(self):
        deep, short = droptail(2000, QUEUE_MS), {"queue": "fq-codel", "limit": 1000}
        for rtt in (10, 50, 100, 200, 400):
            for name, queue in (("drop-tail", deep), ("FQ-CoDel", short)):
                yield f"RTT {rtt} ms", name, [run_beside(queue, "cubic", rtt=rtt)] * self.seeds
        for share in (0.05, 0.2, 0.5):
            yield f"{share:.0%} of the reports lost", "drop-tail", [
                run_beside(deep, "cubic", report_loss=share)] * self.seeds
        for ms in (10, 30, 60):
            yield f"jitter of up to {ms} ms", "drop-tail", [run_beside(deep, "cubic", jitter=ms)] * self.seeds
            yield f"jitter of up to {ms} ms, no TCP", "drop-tail", [run_beside(deep, None, jitter=ms)] * self.seeds

    def traces(self):
        for kind in ("cellular", "wifi"):
            for stack in STACKS:
                # Each seed has a capacity of its own.
                yield kind, stack, [run_of_trace(kind, stack, seed) for seed in range(1, self.seeds + 1)]

    def bbr(self):
        """Whether ns-3's BBR takes what unresponsive traffic of 480 kbit/s leaves of 2 Mbit/s."""
        for name, queue in queues(2000):
            if "ECN" not in name:
                flows = ("cbr:name=cbr,size=1200,pps=50,rtt=100", "tcp:name=tcp,rtt=100,window=400,cc=TcpBbr")
                yield name, "bbr", [path(2000, 100, flow=flows, **queue)] * self.seeds

    def jobs(self):
        for parts in (self.cases(), self.beside(), self.paths(), self.traces(), self.bbr()):
            for _, _, runs in parts:
                yield from (job(run, seed) for seed, run in enumerate(runs, 1))

    def results(self, runs):
        found = [self.load(job(run, seed)) for seed, run in enumerate(runs, 1)]
        return [r for r in found if r]


def with_share(metrics):
    return {**metrics, "share": metrics["video_kbps"] / metrics["tcp_kbps"] if metrics["tcp_kbps"] else math.nan}


def trace_metrics(run, result):
    steps = [(float(at), float(rate[:-4])) for at, rate in (w.split(":") for w in run["rates"].split("/"))]
    used = sum(sum(series(result, f"a-{kind}", "rate", 100)[20:]) for kind in ("video", "voice"))
    carried = sum(rate * traces.STEP for at, rate in steps if at >= 20)
    return {**call_metrics(result, "a"), "utilisation": used / carried,
            "oscillation": oscillation(series(result, "a-video", "rate", 100)[20:])}


HEAD = """# Media over congestion control

Generated by `tests/lab/run.sh --media`; do not edit. [lab.md](../lab.md) says how the lab is built.

{note}

Every call is video and voice in the same direction, over a bottleneck of {delay} ms one way and {queue} ms of
drop-tail queue unless the row says otherwise. The **video** is a synthetic encoder (RFC 8593, 30 frames a second,
150 to 1500 kbit/s) on TFRC (`mode=tfrc`), on NADA (RFC 8698, a comparator of ours from the RFC's equations), or a
greedy TCP flow of ns-3 in its place: Reno, CUBIC or BBR (version 1). The **voice** is always TFRC-SP with the chooser
that the plugin ships (`tfrcadapt`), its listener waits for what `tfrcadapt`'s playout delay asks, and both share the
bottleneck. Reports have a packet each and are not held to RTCP's share of the bandwidth.

Metrics (RFC 8868 3): *utilisation* is what video and voice bring through of the capacity; *convergence* the time from
a change of capacity or flows until the video's rate (means of 3 s) stays within a quarter of what it is in the last
half of that part; *oscillation* the coefficient of variation of its rate per second in that half; *fairness* is Jain's
index of the videos. Delays are one way, in ms, of voice packets from departure to arrival; a video frame's is from
capture to its last packet, the wait in the sender included. *Missing* frames lack a packet, or waited in the sender
for more than 200 ms. *Unheard* is the share of sound that was lost or late. *MOS* is what the E-model predicts from
codec, loss and delay (1 to 4.5), *MOS listening* the same without the delay. Everything is counted from 20 s on.
Cells are means over seeds and over the calls of a case; a TCP flow has no frames.

"""


def write_page(out, study, note):
    folder = os.path.join(out, "lab")
    os.makedirs(folder, exist_ok=True)
    lines = [HEAD.format(note=note, delay=DELAY, queue=QUEUE_MS)]
    lines += case_lines(folder, study)
    lines += ["## Queues and TCP", "", "One call with TFRC video beside one TCP flow, 2 Mbit/s, RTT 100 ms. With ECN, "
              "video, voice and TCP are ECN-capable and the queue marks.", ""]
    rows = [((queue, tcp), [with_share(call_metrics(r, "a")) for r in study.results(runs)])
            for queue, tcp, runs in study.beside()]
    lines += table(("queue", "TCP"), rows, QUEUE_COLUMNS)
    lines += bbr_lines(study)
    lines += ["## Paths", "", "The same beside CUBIC, with another round-trip time, lost reports or jitter.", ""]
    rows = [((name, queue), [with_share(call_metrics(r, "a")) for r in study.results(runs)])
            for name, queue, runs in study.paths()]
    lines += table(("path", "queue"), rows, QUEUE_COLUMNS)
    lines += ["## Capacity traces", "", "A call alone on a link whose capacity changes every 0.1 s: *cellular* is the "
              "model of Sprout's authors (NSDI 2013), *wifi* is 802.11's DCF with up to four other stations that come "
              "and go (`tests/lab/traces.py`). Each seed has a trace of its own.", ""]
    rows = [((kind, stack), [trace_metrics(run, r) for run, r in zip(runs, study.results(runs))])
            for kind, stack, runs in study.traces()]
    lines += table(("trace", "video"), rows, ("utilisation", "oscillation", "video_kbps", "frame_p95", "missing", "p50",
                                              "p95", "p99", "loss", "voice_kbps", "unheard", "mos"))
    with open(os.path.join(folder, "media.md"), "w") as file:
        file.write("\n".join(lines).rstrip("\n").replace("\n\n\n", "\n\n") + "\n")


def bbr_lines(study):
    rates = [f"{queue} {mean([r['tcp']['goodput_kbps'] for r in study.results(runs)]):.0f}"
             for queue, _, runs in study.bbr() if study.results(runs)]
    yield ("A BBR flow of ns-3.37 often stays at some 40 kbit/s, also where no media are: beside constant "
           "traffic of 480 kbit/s, which leaves 1500 kbit/s to it, it gets, in kbit/s: " + ", ".join(rates) + ". Where "
           "BBR has so little in a row, the row tells of that and not of the media.")
    yield ""


def case_lines(folder, study):
    found = {}
    for case, stack, runs in study.cases():
        found.setdefault(case.name, (case, []))[1].append((stack, study.results(runs)))
    for name, (case, stacks) in found.items():
        picture = f"media-{name.split(',')[0]}{'-deep' if '1000' in name else ''}.png"
        yield f"## RFC 8867 {name}"
        yield ""
        both = " The table is of both directions, utilisation of the forward one." if any(
            f.reverse for f in case.calls) else ""
        yield f"{case.title[0].upper()}{case.title[1:]}.{both}"
        yield ""
        shown = [(stack, results[0]) for stack, results in stacks if results]
        if shown:
            draw(os.path.join(folder, picture), case, shown)
            yield f"![RFC 8867 {name}]({picture})"
            yield ""
        rows = [((stack,), [measure_case(case, r) for r in results]) for stack, results in stacks]
        yield from table(("video",), rows, CASE_COLUMNS)


def draw(name, case, shown):
    """Rates of the first seed, one panel for each stack, capacity behind."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, panels = pyplot.subplots(2, len(shown), squeeze=False, sharex=True, sharey="row",
                                     figsize=(2.6 * len(shown), 4.2))
    seconds = range(1, math.ceil(case.duration) + 1)
    for (top, low), (stack, result) in zip(panels.T, shown):
        top.step(seconds, [capacity_at(case.steps, t - 1) for t in seconds], color="0.7", linewidth=1)
        for i, flow in enumerate(case.calls):
            style = {"color": f"C{i}", "linewidth": 0.8, "linestyle": "--" if flow.reverse else "-"}
            top.plot(seconds, series(result, f"{flow.name}-video", "rate", case.duration), **style)
            low.plot(seconds, series(result, f"{flow.name}-voice", "delay", case.duration), **style)
        top.set_title(stack, fontsize=8)
        low.set_xlabel("s", fontsize=7)
        for panel in (top, low):
            panel.tick_params(labelsize=6)
            panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("video, kbit/s", fontsize=7)
    panels[1][0].set_ylabel("delay of voice, ms", fontsize=7)
    figure.tight_layout()
    figure.savefig(name, dpi=72, metadata={"Software": None})
    pyplot.close(figure)


NOTE = ("From {runs} runs of {program}, which took {minutes:.0f} minutes of processor time: {seeds} seed{s} of each "
        "row. With so few seeds, differences of a tenth prove nothing.")


def main(options, runner, out):
    if not runner.has("ns3"):
        print("lab-ns3 is not built: install libns3-dev")
        return 1
    study = Study(options.seeds or 2, runner.load)
    jobs = list(dict.fromkeys(study.jobs()))
    # Seed by seed, so that an interrupted command leaves every row with fewer seeds.
    failed = {} if options.no_run else runner.run(sorted(jobs, key=lambda one: dict(one)["seed"]))
    results = [r for r in map(runner.load, jobs) if r]
    seeds = {dict(one)["seed"] for one in jobs if runner.load(one)}
    note = NOTE.format(runs=len(results), program=f"lab-ns3 {runner.stamps['ns3']}", seeds=len(seeds),
                       s="s" * (len(seeds) != 1), minutes=sum(r["run"]["cpu_s"] for r in results) / 60)
    write_page(out, study, note)
    print(f"{out}/lab/media.md, {len(results)} of {len(jobs)} runs")
    return 1 if failed else 0
