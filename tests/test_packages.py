#!/usr/bin/python3
"""tests/packages.sh: what is missing is named, whatever kind of row asks for it.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import subprocess
import unittest

FOLDER = pathlib.Path(__file__).parent
MISSING = "no-such-part-of-the-tests"


def get_missing(*rows):
    """What tfrc_missing says of a table with those checks, in a shell that refuses unset words."""
    table = "\n".join(f"test|{check}|{check}|" for check in rows)
    script = f"set -u\n. ./packages.sh\ntfrc_packages () {{ echo '{table}'; }}\ntfrc_missing test\n"
    done = subprocess.run(["sh", "-c", script], cwd=FOLDER, capture_output=True, text=True,
                          check=False)
    return sorted(line.rstrip("|") for line in done.stdout.splitlines()), done.stderr


class Packages(unittest.TestCase):
    def test_what_is_missing_is_named(self):
        checks = [f"{kind} {MISSING}" for kind in
                  ("cmd", "lib", "pc", "gst", "py", "typelib", "deb", "speech")]
        checks += [f"/{MISSING}", f"pc {MISSING} >= 1.0"]
        self.assertEqual(get_missing(*checks), (sorted(checks), ""))

    def test_what_is_there_is_not_named(self):
        self.assertEqual(get_missing("cmd sh", "pc gstreamer-1.0", "pc gstreamer-1.0 >= 1.0",
                                     "py sys", "/bin/sh"), ([], ""))

    def test_a_version_that_is_too_old_is_named(self):
        self.assertEqual(get_missing("pc gstreamer-1.0 >= 1000"),
                         (["pc gstreamer-1.0 >= 1000"], ""))


if __name__ == "__main__":
    unittest.main()
