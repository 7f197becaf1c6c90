"""Runs one job: a program, its words, and what it printed. Workers of a cluster get this module by value.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import hashlib
import os
import subprocess
import tempfile


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def run_program(words):
    """Status, output, errors and the processor time of a program."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        child = subprocess.Popen(words, stdout=out, stderr=error)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        error.seek(0)
        return child.returncode, out.read(), error.read(), usage.ru_utime + usage.ru_stime


def execute(words, want):
    """{flow: {metric: value}}. `want` is the digest of the program: a worker on another machine may have
    another one at the same path."""
    if digest(words[0]) != want:
        raise RuntimeError(f"{words[0]} is another program here")
    status, out, error, cpu_s = run_program(words)
    if status:
        raise RuntimeError(f"{' '.join(words)}\n{error.strip()[-2000:]}")
    result = {"run": {"cpu_s": cpu_s}}
    for line in out.splitlines():
        flow, metric, value = line.split()
        result.setdefault(flow, {})[metric] = float(value)
    return result
