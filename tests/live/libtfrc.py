#!/usr/bin/python3
"""The two programs of examples/libtfrc, built on the installed library, make a call over UDP.

  libtfrc.py BUILD

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import subprocess
import sys
import time
import unittest

import cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from install import TOP, flags, install, run  # noqa: E402

BUILD = next(argument for argument in sys.argv[1:] if not argument.startswith("--"))
PORT = "17690"


def wait_for_socket(port):
    """Waits until a UDP socket of IPv4 is bound to a port."""
    until = time.monotonic() + 10
    while f":{int(port):04X} " not in pathlib.Path("/proc/net/udp").read_text("ascii"):
        if time.monotonic() > until:
            raise TimeoutError(f"nobody has port {port}")
        time.sleep(0.01)


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


class Libtfrc(unittest.TestCase):
    def test_examples_make_a_call_on_the_installed_library(self):
        root, _ = install(BUILD)
        self.addCleanup(root.cleanup)
        programs = {name: pathlib.Path(root.name) / name for name in ("sender", "receiver")}
        for name, program in programs.items():
            run("cc", "-Wall", "-Werror", "-o", program, TOP / "examples/libtfrc" / (name + ".c"),
                *flags("libtfrc", "--cflags", "--libs"))
        with subprocess.Popen([programs["receiver"], PORT], stdout=subprocess.PIPE, text=True) as receiver:
            wait_for_socket(PORT)
            sent, reports_accepted = numbers(run(programs["sender"], "127.0.0.1", PORT))[:2]
            received, lost, reports = numbers(receiver.communicate(timeout=60)[0])[:3]
        self.assertEqual(receiver.returncode, 0)
        # TFRC-SP sends at most one packet in 10 ms; an idle path carries nearly as many.
        self.assertTrue(700 <= sent <= 1001, sent)
        self.assertEqual((received, lost), (sent, 0))
        self.assertTrue(100 < reports_accepted <= reports, (reports_accepted, reports))


if __name__ == "__main__":
    cases.main(Libtfrc)
