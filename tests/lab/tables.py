"""The published tables and ns-2's figures in data/.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import csv
import functools
import os

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def read(name):
    with open(os.path.join(HERE, name), newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


@functools.lru_cache(None)
def _ns2_table():
    found = {}
    for row in read("ns2_results.csv"):
        low, high = number(row["ns2_min"]), number(row["ns2_max"])
        mean = number(row["ns2_mean"])
        key = row["table"], row["row_key"], row["flow_type"], row["metric"]
        found[key] = (mean, mean if low is None else low, mean if high is None else high)
    return found


def ns2(table, key, flow, metric):
    """(mean, min, max) of ns-2's runs, or None."""
    return _ns2_table().get((table, key, flow, metric))


@functools.lru_cache(None)
def rfc_model():
    """{(table, flow, t_RTO, drop rate): (mean in kbit/s, standard error, flows)}; Table 10's drop rates
    are of a byte."""
    return {(row["table"], row["flow_type"].split("_")[0], row["t_RTO"],
             float(row["packet_drop_rate"].split()[0])):
            (float(row["send_kbps_mean"]), float(row["standard_error"]), int(row["flows"]))
            for row in read("rfc_model.csv")}


@functools.lru_cache(None)
def variants():
    """{(table, flow, variant): {p: kbit/s}}"""
    found = {}
    for row in read("ns2_variants.csv"):
        rates = {float(k.rsplit("_", 1)[1]): float(v) for k, v in row.items()
                 if k.startswith("send_kbps_at_p_")}
        found[row["table"], row["flow_type"], row["variant"]] = rates
    return found
