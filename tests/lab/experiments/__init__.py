"""The experiments, one module a paper or a part of one.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
from . import (
    ftcp,
    golden,
    gtfrc,
    hassan,
    rfc4828_equation,
    rfc4828_loss,
    rfc4828_queues,
    rfc8867,
    silence,
    wbl04_loss,
    wbl04_queues,
)

MODULES = [rfc4828_equation, golden, silence, rfc4828_loss, rfc4828_queues, wbl04_loss, wbl04_queues,
           gtfrc, ftcp, hassan, rfc8867]


def all_experiments():
    return [e for module in MODULES for e in module.experiments()]
