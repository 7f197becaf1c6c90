"""Softphones in terminals of their own, and recordings that they say and hear.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import os
import pty
import subprocess
import time
import wave

import sound
from sound import RATE


class Phone:
    """A softphone with a terminal. What it prints is in `said`."""

    def __init__(self, program, *arguments, env=None):
        self.terminal, inner = pty.openpty()
        self.child = subprocess.Popen([str(program), *map(str, arguments)], env=env,
                                      stdin=inner, stdout=inner, stderr=inner)
        os.close(inner)
        os.set_blocking(self.terminal, False)
        self.said = ""

    def read(self):
        try:
            self.said += os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:                         # nothing now, or nobody there any more
            pass
        return self.said

    def wait_for(self, text, seconds, times=1):
        """Waits until the phone has printed the text that often."""
        end = time.monotonic() + seconds
        while self.read().count(text) < times:
            if time.monotonic() > end:
                raise AssertionError(f"no \"{text}\" in {seconds} s: {self.said}")
            time.sleep(0.1)

    def press(self, key):
        os.write(self.terminal, key.encode())

    def stop(self):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        os.close(self.terminal)


def say_tone(file, hertz, seconds=60):
    """A recording of a tone."""
    with wave.open(str(file), "wb") as said:
        said.setparams((1, 2, RATE, 0, "NONE", ""))
        said.writeframes(sound.make_tone(hertz, 1) * seconds)


def hear_recording(file, start, seconds=1):
    """A part of a recording, from the end where `start` is negative (s)."""
    with wave.open(str(file)) as heard:
        at = start * RATE if start >= 0 else heard.getnframes() + start * RATE
        heard.setpos(max(0, int(at)))
        return array.array("h", heard.readframes(int(seconds * RATE)))
