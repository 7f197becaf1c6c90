"""The experiments, one module a paper.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
from . import golden, rfc4828_equation, rfc4828_loss

MODULES = [rfc4828_equation, golden, rfc4828_loss]


def all_experiments():
    return [e for module in MODULES for e in module.experiments()]
