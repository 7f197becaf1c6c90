"""Network namespaces for live tests: one that the test's own process enters, and others.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import os
import shutil
import subprocess
import sys
import time

import cases

INSIDE = "--inside"
TOOLS = ("ip", "unshare", "nsenter")


def run(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def enter(*tools):
    """Starts this program again in a network of its own, unless it is there already. The test is
    skipped where that is impossible, or where one of the tools is not installed."""
    if INSIDE in sys.argv:
        return
    missing = [tool for tool in TOOLS + tools if not shutil.which(tool)]
    if missing:
        cases.skip(f"not installed: {', '.join(missing)}; see tests/packages.sh")
    if os.getuid() or subprocess.run(["unshare", "--net", "true"], check=False, capture_output=True).returncode:
        cases.skip("no network namespaces: they need root")
    os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv, INSIDE])


class Namespace:
    """Another network, as long as this object's process runs."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "7200"])
        mine = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == mine:
            time.sleep(0.01)

    @property
    def pid(self):
        return str(self.holder.pid)

    def enter(self, *arguments):
        """The command that runs these arguments inside."""
        return ("nsenter", f"--net=/proc/{self.pid}/ns/net", *arguments)

    def run(self, *arguments):
        return run(*self.enter(*arguments))

    def close(self):
        self.holder.kill()
        self.holder.wait()
