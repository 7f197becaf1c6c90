#!/usr/bin/python3
# The voice bench: what the listener gets from tfrcencodebin ! tfrcsink, and from every
# fixed setting of plain opusenc ! udpsink, on the same paths. tests/bench/voice.sh is
# the command; it installs what this needs.
#
# Each call has two network namespaces of its own, joined by the path emulator: real
# sockets, real kernel TCP beside it, real recorded speech.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
OWN_DELAY = 0.050               # s, each way
DELAYS = {"start-400": 0.200, "deep-cubic": 0.030}      # s, each way, on the other paths
# ms that every receiver's jitter buffer holds: a queue of 300 ms and what a sender's
# pacing adds. The stock buffer does not adapt.
LATENCY = 400
CAPS = "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,payload=96"

# name: (path options, seconds, TCP congestion control)
SCENARIOS = {
    "thin24": ("--capacity 0:24 --queue 300ms", 64, None),
    "thin48": ("--capacity 0:48 --queue 300ms", 64, None),
    "step": ("--capacity 0:200,24:48,48:200 --queue 300ms", 80, None),
    "step-deep": ("--capacity 0:200,24:48,48:200 --queue 1000ms", 80, None),
    "loss2": ("--loss 2", 64, None),
    "loss10": ("--loss 10", 64, None),
    "loss25": ("--loss 25", 64, None),
    "loss50": ("--loss 50", 64, None),
    "bursty": ("--loss 8 --loss-run 4", 64, None),
    "reno": ("--capacity 0:300 --queue 300ms", 64, "reno"),
    "cubic": ("--capacity 0:300 --queue 300ms", 64, "cubic"),
    "start-100": ("--loss 5", 40, None),
    "start-400": ("--loss 5", 40, None),
    "deep-cubic": ("--capacity 0:150 --queue 1000ms", 64, "cubic"),
}
LOSSY = ("loss10", "loss25", "bursty")
STEP_DOWN, STEP_UP, STEP_LOW = 24, 48, 48       # s, s, kbit/s
FIXED = {f"{kbit}k/{frame}": (kbit * 1000, frame) for kbit, frame in
         ((64, 20), (32, 20), (20, 20), (12, 20), (16, 60), (8, 60))}
OURS = "tfrc"
PROBE = "8k/60"                 # the least that any call adds to a queue that TCP fills

SPEECH = ("filesrc location={speech} ! wavparse ! audiobuffersplit output-buffer-duration=1/100 "
          "! clocksync ! audioconvert ! audioresample ")
LISTEN = ("audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=16000,channels=1 "
          "! audiorate ! wavenc ! filesink location={wav}")


def sender(config, speech, encoder):
    head = SPEECH.format(speech=speech)
    if config == OURS:
        return ("enc", head + f"! tfrcencodebin name=enc {encoder} "
                "! tfrcsink name=sink host=10.200.0.2 port=5004 mode=tfrc-sp")
    bitrate, frame = FIXED[config]
    return ("enc", head + f"! opusenc bitrate={bitrate} frame-size={frame} "
            "! rtpopuspay name=enc pt=96 ! udpsink host=10.200.0.2 port=5004 sync=false")


def receiver(config, wav):
    if config == OURS:
        return ("udp:5004", f"tfrcsrc port=5004 mode=tfrc-sp latency={LATENCY} ! tfrcdecodebin ! "
                + LISTEN.format(wav=wav))
    return ("udp:5004", f"udpsrc port=5004 caps={CAPS} ! rtpjitterbuffer latency={LATENCY} do-lost=true "
            "! rtpopusdepay ! opusdec plc=true ! " + LISTEN.format(wav=wav))


class Place:
    """Two namespaces and the path between them."""

    def __init__(self, name, options, directory, emulator):
        self.names = [f"tfrc-{name}-{end}" for end in "ab"]
        for netns in self.names:
            run("ip", "netns", "add", netns)
        self.path = subprocess.Popen([emulator, "--tun", *options.split(), "--interval", "0.5",
                                      "--csv", str(directory / "path.csv"), *self.names])
        deadline = time.monotonic() + 5
        for number, netns in enumerate(self.names, 1):
            while subprocess.run(["ip", "-n", netns, "addr", "add", f"10.200.0.{number}/24",
                                  "dev", "path"], check=False, stderr=subprocess.DEVNULL).returncode:
                if time.monotonic() > deadline or self.path.poll() is not None:
                    raise RuntimeError("the path emulator did not start")
                time.sleep(0.05)
            run("ip", "-n", netns, "link", "set", "lo", "up")
            run("ip", "-n", netns, "link", "set", "path", "up")

    def start(self, end, *command, **keywords):
        return subprocess.Popen(["ip", "netns", "exec", self.names[end], *command], **keywords)

    def close(self):
        finish(self.path)
        for netns in self.names:
            run("ip", "netns", "del", netns)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def finish(process, patience=10):
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start_tcp(place, congestion, seconds, directory, port):
    server = place.start(1, "iperf3", "-s", "-1", "-p", str(port), stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    out = open(directory / f"tcp{port}.json", "w")
    client = place.start(0, "iperf3", "-J", "-c", "10.200.0.2", "-p", str(port),
                         "-C", congestion, "-t", str(seconds), stdout=out)
    return server, client


def tcp_rate(directory, port):
    """kbit/s that reached the other end."""
    with open(directory / f"tcp{port}.json") as f:
        report = json.load(f)
    if "error" in report:
        raise RuntimeError(f"iperf3: {report['error']}")
    return report["end"]["sum_received"]["bits_per_second"] / 1e3


def run_call(name, scenario, config, args):
    _, seconds, congestion = SCENARIOS[scenario]
    directory = args.out / scenario / config.replace("/", "-")
    directory.mkdir(parents=True, exist_ok=True)
    place = Place(name, get_path_options(scenario, args.seed), directory, args.emulator)
    others = []
    try:
        ends = []
        for end, (pad, pipeline) in ((1, receiver(config, directory / "heard.wav")),
                                     (0, sender(config, args.speech, args.encoder))):
            log = directory / ("recv.csv" if end else "send.csv")
            with open(directory / f"end{end}.log", "w") as err:
                ends.append(place.start(end, str(HERE / "voice_end.py"), str(log), pad, pipeline,
                                        stderr=err, stdout=err))
            time.sleep(1)
        if congestion:
            others = start_tcp(place, congestion, seconds - 2, directory, 5201)
        deadline = time.monotonic() + seconds + 3       # the ends start and stop a little apart
        while time.monotonic() < deadline and all(end.poll() is None for end in ends):
            time.sleep(0.5)
        if any(end.poll() is not None for end in ends):
            log = "".join((directory / f"end{end}.log").read_text() for end in (0, 1))
            raise RuntimeError(f"{scenario} {config}: an end stopped early\n{log}")
        for end in reversed(ends):
            finish(end)
        for other in others:
            other.wait(30)
    finally:
        for process in (*ends, *others):
            finish(process)
        place.close()
    return measure(scenario, config, directory, args)


def run_tcp_pair(name, scenario, args):
    """What a TCP flow gets beside another one, kbit/s."""
    _, seconds, congestion = SCENARIOS[scenario]
    directory = args.out / scenario / "tcp-pair"
    directory.mkdir(parents=True, exist_ok=True)
    place = Place(name, get_path_options(scenario, args.seed), directory, args.emulator)
    try:
        flows = [start_tcp(place, congestion, seconds - 2, directory, 5201 + i) for i in (0, 1)]
        for flow in flows:
            for process in flow:
                process.wait(seconds + 30)
    finally:
        place.close()
    return statistics.mean(tcp_rate(directory, 5201 + i) for i in (0, 1))


def get_own_delay(scenario):
    """s, each way"""
    return DELAYS.get(scenario, OWN_DELAY)


def get_path_options(scenario, seed):
    """Of the emulator."""
    delay = f"{1e3 * get_own_delay(scenario):.0f}"
    return f"{SCENARIOS[scenario][0]} --delay {delay} --delay-back {delay} --seed {seed}"


def read_log(name):
    with open(name) as f:
        return [(float(t), int(ts), int(size), int(pt)) for t, ts, size, pt in csv.reader(f)]


def measure(scenario, config, directory, args):
    sent, received = read_log(directory / "send.csv"), read_log(directory / "recv.csv")
    left = {ts: t for t, ts, _, _ in sent}
    delays = sorted(t - left[ts] for t, ts, _, _ in received if ts in left)
    arrived = {ts for _, ts, _, _ in received}
    lost = 1 - len(arrived & set(left)) / max(1, len(left))
    windows = subprocess.run([args.python, str(HERE / "voice_score.py"), str(args.speech),
                              str(directory / "heard.wav"), str(SCENARIOS[scenario][1])],
                             capture_output=True, text=True, check=False)
    if windows.returncode:
        raise RuntimeError(windows.stderr)
    scores = [float(line) for line in windows.stdout.split()]
    seconds = sent[-1][0] - sent[0][0]
    result = {
        "scenario": scenario, "config": config,
        "pesq": statistics.mean(scores), "pesq_min": min(scores),
        "delay_p95_ms": 1e3 * (delays[int(0.95 * len(delays))] - get_own_delay(scenario)) if delays else None,
        "lost_percent": 100 * lost,
        # by what arrives, because the sender leaves out redundant copies
        "kbps": 8e-3 * sum(size + 28 for _, _, size, _ in received) / (1 - lost) / seconds if lost < 1 else 0,
        "tcp_kbps": tcp_rate(directory, 5201) if SCENARIOS[scenario][2] else None,
        "windows": " ".join(f"{score:.2f}" for score in scores),
    }
    if scenario.startswith("step"):
        result.update(step_times(directory))
    return result


def step_times(directory):
    """s after the step down until the rate of half a second is below capacity, and after the
    step up until it is back at 90 % of what it was before."""
    with open(directory / "path.csv") as f:
        rows = [(float(row["time_s"]), float(row["offered_kbps"])) for row in csv.DictReader(f)]
    before = statistics.mean(rate for t, rate in rows if STEP_DOWN - 8 < t <= STEP_DOWN)
    below = [t for t, rate in rows if STEP_DOWN < t <= STEP_UP and rate <= STEP_LOW]
    back = [t for t, rate in rows if t > STEP_UP and rate >= 0.9 * before]
    return {"down_s": min(below) - STEP_DOWN if below else STEP_UP - STEP_DOWN,
            "up_s": min(back) - STEP_UP if back else None}


def bars(results, pairs):
    """(what, figure, bar, met) for each bar of the bench."""
    ours = {r["scenario"]: r for r in results if r["config"] == OURS}
    for scenario, our in ours.items():
        fixed = [r for r in results if r["scenario"] == scenario and r["config"] != OURS]
        if fixed:
            best = max(fixed, key=lambda r: r["pesq"])
            gain = our["pesq"] - best["pesq"]
            need = 0.2 if scenario in LOSSY else -0.25
            yield (f"{scenario}: PESQ over the best fixed ({best['config']})", gain, need, gain >= need)
        if our["delay_p95_ms"] is not None:
            yield (f"{scenario}: p95 one-way delay over the path's, ms", our["delay_p95_ms"], 250,
                   our["delay_p95_ms"] <= 250)
            probe = [r["delay_p95_ms"] for r in fixed if r["config"] == PROBE]
            if SCENARIOS[scenario][2] and probe:
                over = our["delay_p95_ms"] - probe[0]
                yield (f"{scenario}: the same over what an {PROBE} call has beside that TCP", over, 250,
                       over <= 250)
        if scenario in pairs:
            share = our["tcp_kbps"] / pairs[scenario]
            yield (f"{scenario}: TCP beside us over TCP beside TCP", share, 0.5, share >= 0.5)
        if "down_s" in our:
            yield (f"{scenario}: s until below capacity", our["down_s"], 2, our["down_s"] <= 2)
            up = our["up_s"] if our["up_s"] is not None else float("inf")
            yield (f"{scenario}: s until back at 90 %", up, 15, up <= 15)
    means = {}
    for r in results:
        means.setdefault(r["config"], []).append(r["pesq"])
    full = {c: statistics.mean(v) for c, v in means.items() if len(v) == len(ours)}
    rivals = [v for c, v in full.items() if c != OURS]
    if OURS in full and rivals:
        gain = full[OURS] - max(rivals)
        yield ("mean of all scenarios: PESQ over the best fixed", gain, 0, gain > 0)


def number(result, key, form):
    return format(result[key], form) if result.get(key) is not None else "-"


def print_table(results):
    print(f"{'scenario':10} {'config':8} {'PESQ':>5} {'min':>5} {'p95 ms':>7} {'lost %':>7} "
          f"{'kbit/s':>7} {'TCP':>6}")
    for r in results:
        print(f"{r['scenario']:10} {r['config']:8} {r['pesq']:5.2f} {r['pesq_min']:5.2f} "
              f"{number(r, 'delay_p95_ms', '7.0f'):>7} {r['lost_percent']:7.1f} {r['kbps']:7.1f} "
              f"{number(r, 'tcp_kbps', '6.0f'):>6}")


def write_results(results, verdicts, out):
    keys = sorted({key for r in results for key in r}, key=lambda k: (k == "windows", k))
    with open(out / "voice.csv", "w", newline="") as f:
        writer = csv.DictWriter(f, ["scenario", "config"] + [k for k in keys if k not in
                                                             ("scenario", "config")])
        writer.writeheader()
        writer.writerows(results)
    with open(out / "voice-bars.csv", "w", newline="") as f:
        writer = csv.writer(f)
        writer.writerow(["what", "figure", "bar", "met"])
        writer.writerows(verdicts)


def plot(results, out):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    scenarios = list(dict.fromkeys(r["scenario"] for r in results))
    configs = list(dict.fromkeys(r["config"] for r in results))
    figure, axes = plt.subplots(2, 1, figsize=(11, 8), sharex=True, constrained_layout=True)
    for axis, key, label in ((axes[0], "pesq", "wideband PESQ"),
                             (axes[1], "delay_p95_ms", "p95 delay over the path's [ms]")):
        for i, config in enumerate(configs):
            values = {r["scenario"]: r[key] for r in results if r["config"] == config}
            x = [n + (i - len(configs) / 2 + 0.5) * 0.8 / len(configs) for n in range(len(scenarios))]
            axis.bar(x, [values.get(s) or 0 for s in scenarios], 0.8 / len(configs),
                     label="tfrcencodebin ! tfrcsink" if config == OURS else f"opusenc {config} ms",
                     color="#c03020" if config == OURS else plt.cm.Blues(0.3 + 0.1 * i))
        axis.set_ylabel(label)
        axis.grid(axis="y", alpha=0.3)
    axes[0].set_ylim(1, 4.7)
    axes[0].legend(ncol=4, fontsize=8, loc="lower center", bbox_to_anchor=(0.5, 1))
    axes[1].axhline(250, color="black", linewidth=0.8)
    axes[1].set_xticks(range(len(scenarios)), scenarios)
    figure.savefig(out / "voice.png", dpi=110)


def parse():
    parser = argparse.ArgumentParser(description="speech quality over bottlenecks and losses")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--speech", type=pathlib.Path, required=True, help="16 kHz mono WAV")
    parser.add_argument("--emulator", required=True, help="the path emulator's binary")
    parser.add_argument("--python", default=sys.executable, help="a Python that has pesq")
    parser.add_argument("--jobs", type=int, default=7, help="calls at a time")
    parser.add_argument("--encoder", default="", metavar="PROPERTY=VALUE...", help="of tfrcencodebin")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--config", action="append", help=f"{OURS} or a fixed one; all")
    parser.add_argument("scenario", nargs="*", metavar="SCENARIO",
                        help=f"of {', '.join(SCENARIOS)}; all")
    args = parser.parse_args()
    unknown = set(args.scenario) - set(SCENARIOS)
    if unknown:
        parser.error(f"no scenario {', '.join(unknown)}")
    return args


def main():
    args = parse()
    configs = args.config or [OURS, *FIXED]
    jobs = [(s, c) for s in (args.scenario or SCENARIOS) for c in configs]
    results, pairs, failed = [], {}, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        calls = {pool.submit(run_call, f"{os.getpid() % 1000}-{i}", s, c, args): (s, c)
                 for i, (s, c) in enumerate(jobs)}
        pair_jobs = {pool.submit(run_tcp_pair, f"{os.getpid() % 1000}-p{i}", s, args): s
                     for i, s in enumerate(dict.fromkeys(s for s, _ in jobs if SCENARIOS[s][2]))}
        for done, job in enumerate(concurrent.futures.as_completed([*calls, *pair_jobs]), 1):
            try:
                if job in calls:
                    results.append(job.result())
                else:
                    pairs[pair_jobs[job]] = job.result()
                what = " ".join(calls.get(job, (pair_jobs.get(job, ""), "two TCP flows")))
                print(f"{done}/{len(calls) + len(pair_jobs)} {what}", flush=True)
            except (RuntimeError, OSError, subprocess.SubprocessError, ValueError, LookupError) as e:
                failed.append(f"{calls.get(job) or pair_jobs[job]}: {e}")
                print(failed[-1], file=sys.stderr, flush=True)
    order = {job: i for i, job in enumerate(jobs)}
    results.sort(key=lambda r: order[r["scenario"], r["config"]])
    if not results:
        sys.exit("nothing was measured")
    verdicts = list(bars(results, pairs))
    print_table(results)
    for what, figure, bar, met in verdicts:
        print(f"{'met   ' if met else 'MISSED'} {what}: {figure:.2f} (bar {bar:g})")
    write_results(results, verdicts, args.out)
    plot(results, args.out)
    print(f"written: {args.out}/voice.csv, voice-bars.csv, voice.png")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
