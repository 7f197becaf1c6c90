"""The picture of a call: rate, packet size, round-trip time and p over time.

The demo draws its runs with it, and tfrc-top --plot any call. Of a call nothing is known of the path, so that
rows may lack capacity_kbps, queue_max_ms and the drops, and have `lost` instead.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

INK, GRID, FAINT = "#222222", "#e4e4e4", "#8a8a8a"
CAPACITY, WIRE, ALLOWED, CODEC = "#444444", "#1f77b4", "#d9822b", "#2a9d5c"
QUEUE, LOSS = "#9467bd", "#c0392b"
LOSSES = "tail_drops", "random_drops", "outage_drops", "lost"


def smooth(values, width):
    """Running mean over the last `width` values."""
    out, total = [], 0.0
    for i, value in enumerate(values):
        total += value - (values[i - width] if i >= width else 0)
        out.append(total / min(i + 1, width))
    return out


def gaps(values, where):
    """NaN where there is nothing to draw."""
    return [value if ok else float("nan") for value, ok in zip(values, where)]


def spans(rows, name):
    """The stretches in which the counter `name` is above 0: (from, to)."""
    found = []
    for row in rows:
        if row.get(name, 0) > 0:
            if found and row["time_s"] - found[-1][1] < 0.15:
                found[-1][1] = row["time_s"]
            else:
                found.append([row["time_s"] - 0.1, row["time_s"]])
    return found


def draw_rate(axis, t, rows):
    allowed = [row["allowed_bps"] / 1e3 for row in rows]
    on_path = "capacity_kbps" in rows[0]
    sent = [row["offered_kbps"] for row in rows]
    top = 1.25 * max(1.0, *(row["capacity_kbps"] if on_path else max(row["offered_kbps"], row["encoder_bps"] / 1e3)
                            for row in rows))
    if on_path:
        axis.step(t, [row["capacity_kbps"] for row in rows], where="post", color=CAPACITY, lw=1.6,
                  label="capacity of the path")
    axis.plot(t, smooth(sent, 10) if on_path else sent, color=WIRE, lw=1.8,
              label="sent, with all headers (mean of 1 s)" if on_path else "sent")
    if any(allowed):
        axis.plot(t, [min(value, 2 * top) for value in allowed], color=ALLOWED, lw=1.3,
                  label="allowed to the codec (payload)" if on_path else "allowed")
    codec = [row["encoder_bps"] / 1e3 for row in rows]
    if any(codec):
        axis.step(t, codec, where="post", color=CODEC, lw=1.6, label="codec's bitrate")
    axis.set_ylim(0, top)
    axis.set_ylabel("rate, kbit/s")
    axis.legend(loc="upper center", ncol=4, bbox_to_anchor=(0.5, 1.24), frameon=False, fontsize=9)


def draw_size(axis, t, rows):
    sending = [row["packets"] > 0 for row in rows]
    axis.plot(t, gaps([row["payload_bytes"] for row in rows], sending), color=WIRE, lw=0, marker=".",
              ms=3)
    axis.set_ylabel("payload per\npacket, bytes" if "capacity_kbps" in rows[0] else "RTP packet,\nbytes", color=WIRE)
    axis.set_ylim(0, max(60.0, 1.15 * max(row["payload_bytes"] for row in rows)))
    right = axis.twinx()
    right.step(t, gaps([row["frame_ms"] for row in rows], sending), where="post", color=CODEC, lw=1.6)
    right.set_ylabel("speech per\npacket, ms", color=CODEC)
    right.set_ylim(0, 130)
    right.set_yticks([0, 20, 40, 60, 80, 100, 120])
    for side in ("top", "left", "bottom"):
        right.spines[side].set_visible(False)


def draw_delay(axis, t, rows):
    waits = [row.get("queue_max_ms", 0.0) for row in rows]
    if "queue_max_ms" in rows[0]:
        axis.fill_between(t, waits, color=QUEUE, alpha=0.35, lw=0, label="longest wait in the path's queue")
    rtt = [row["rtt_ms"] for row in rows]
    if any(rtt):
        axis.plot(t, gaps(rtt, [value > 0 for value in rtt]), color=INK, lw=1.5,
                  label="round-trip time that the sender knows")
    axis.set_ylim(0, 1.25 * max(50.0, max(rtt), max(waits)))
    axis.set_ylabel("delay, ms")
    axis.legend(loc="upper right", ncol=2, frameon=False, fontsize=9)


def draw_loss(axis, t, rows):
    p = [100 * row["p"] for row in rows]
    axis.plot(t, p, color=LOSS, lw=1.6, label="p, loss event rate")
    axis.set_ylim(0, 1.5 * max(1.0, max(p)))
    axis.set_ylabel("p, %")
    dropped = [sum(row.get(name, 0) for name in LOSSES) for row in rows]
    ticks = [moment for moment, count in zip(t, dropped) if count]
    axis.plot(ticks, [0.04] * len(ticks), transform=axis.get_xaxis_transform(), ls="", marker="|",
              ms=9, color=INK, label="packets lost on the path")
    axis.legend(loc="upper right", ncol=2, frameon=False, fontsize=9)
    axis.set_xlabel("time, s")


def draw(rows, target, title):
    t = [row["time_s"] for row in rows]
    plt.rcParams.update({"font.size": 10, "axes.edgecolor": FAINT, "text.color": INK,
                         "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK})
    figure, axes = plt.subplots(4, 1, sharex=True, figsize=(11, 10),
                                gridspec_kw={"height_ratios": [3, 1.6, 1.6, 1.3]})
    for axis, panel in zip(axes, (draw_rate, draw_size, draw_delay, draw_loss)):
        panel(axis, t, rows)
        axis.grid(color=GRID, lw=0.8)
        axis.set_axisbelow(True)
        axis.margins(x=0)
        for side in ("top", "right"):
            axis.spines[side].set_visible(False)
        for begin, end in spans(rows, "outage_drops"):
            axis.axvspan(begin, end, color=LOSS, alpha=0.15, lw=0)
    figure.suptitle(title, y=0.985, fontsize=12)
    figure.align_ylabels(axes)
    figure.tight_layout(rect=(0, 0, 1, 0.985))
    figure.savefig(target, dpi=110)
    plt.close(figure)
