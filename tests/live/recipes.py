#!/usr/bin/python3
"""Runs the launch lines of the section "Recipes" of docs/using.md, word for word, all of a recipe at once.

  tests/live/play.py tests/live/recipes.py

Each records what it hears; the recordings are looked at afterwards.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import math
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest
import wave

import cases

TEXT = (pathlib.Path(__file__).resolve().parents[2] / "docs/using.md").read_text("utf-8")
SECTION = re.search(r"^## Recipes\n(.*?)^## ", TEXT, re.S | re.M).group(1)
SECONDS = 7


def get_lines(title):
    """The launch lines of the recipe, without the ends of their lines."""
    recipe = re.search(rf"\*\*{title}\*\*(.*?)(?=^\*\*|\Z)", SECTION, re.S | re.M).group(1)
    code = "\n".join(line[4:] for line in recipe.splitlines() if line.startswith("    "))
    return code.replace("\\\n", " ").splitlines()


class Recording:
    """The samples of a WAV file: of its first channel, without the first second, in which a call begins."""

    def __init__(self, path):
        with wave.open(str(path)) as file:
            self.rate, self.channels = file.getframerate(), file.getnchannels()
            width, data = file.getsampwidth(), file.readframes(file.getnframes())
        kind, scale = {2: ("h", 1 << 15), 4: ("i", 1 << 31)}[width]
        self.samples = [sample / scale for sample in array.array(kind, data)[::self.channels]]
        self.seconds = len(self.samples) / self.rate

    def get_level(self, frequency):
        """The amplitude of a tone in the last second but one (Goertzel)."""
        part = self.samples[-2 * self.rate:-self.rate]
        parts = [sum(sample * wave_of(2 * math.pi * frequency * i / self.rate) for i, sample in enumerate(part))
                 for wave_of in (math.cos, math.sin)]
        return 2 * math.hypot(*parts) / len(part)


class Recipes(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def play(self, title):
        """The receivers are the lines behind the senders, and end with EOS first."""
        started = [subprocess.Popen(shlex.split(line), cwd=self.folder, stdout=subprocess.DEVNULL)
                   for line in get_lines(title)]
        self.addCleanup(lambda: [process.kill() for process in started if process.poll() is None])
        time.sleep(SECONDS)
        for process in reversed(started):
            self.assertIsNone(process.poll(), f"{title}: a line has ended by itself")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), 0)
        return len(started)

    def check_tone(self, name, channels, *frequencies):
        recording = Recording(self.folder / name)
        self.assertEqual(recording.channels, channels)
        self.assertGreater(recording.seconds, SECONDS - 4)
        self.assertLess(recording.seconds, SECONDS + 2)
        for frequency in frequencies:
            self.assertGreater(recording.get_level(frequency), 0.3, f"{name}, {frequency} Hz")
            self.assertLess(recording.get_level(frequency * 1.3), 0.1)

    def test_music(self):
        self.assertEqual(self.play("Music"), 2)
        self.check_tone("music.wav", 2, 440)

    def test_a_file(self):
        subprocess.run(shlex.split("gst-launch-1.0 -q audiotestsrc num-buffers=1000 freq=440 ! "
                                   "audio/x-raw,rate=44100,channels=2 ! lamemp3enc ! filesink location=song.mp3"),
                       check=True, cwd=self.folder)
        self.assertEqual(self.play("A file"), 2)
        self.check_tone("song.wav", 2, 440)

    def test_a_call_both_ways(self):
        self.assertEqual(self.play("A call both ways"), 2)
        self.check_tone("one.wav", 1, 1100)
        self.check_tone("two.wav", 1, 300)

    def test_recording(self):
        self.assertEqual(self.play("Recording"), 2)
        pieces = sorted(self.folder.glob("piece*.mkv"))
        self.assertIn(len(pieces), (2, 3, 4))
        for piece in pieces[:-1]:
            subprocess.run(shlex.split(f"gst-launch-1.0 -q filesrc location={piece} ! matroskademux ! opusdec ! "
                                       f"audioconvert ! wavenc ! filesink location={piece}.wav"), check=True)
            self.assertAlmostEqual(Recording(f"{piece}.wav").seconds, 2, delta=0.3)

    def test_one_microphone_to_many(self):
        self.assertEqual(self.play("One microphone to many"), 3)
        self.check_tone("one.wav", 1, 440)
        self.check_tone("two.wav", 1, 440)

    def test_mixer(self):
        self.assertEqual(self.play("Mixer"), 3)
        self.check_tone("mix.wav", 1, 300, 1100)


if __name__ == "__main__":
    cases.main(Recipes)
