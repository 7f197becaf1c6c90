#!/usr/bin/python3
"""The softphone with a sound server: two phones, each with a microphone and a loudspeaker.

  tests/live/play.py tests/live/softphone.py BUILD

A PulseAudio of the test's own has four null sinks. What is played into one is what a
microphone hears; what a loudspeaker plays is recorded from another. Keys go to the phones
through terminals. Where a microphone stands beside its loudspeaker, it hears that sink.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
from demo import free_port  # noqa: E402

import cases  # noqa: E402
import sound  # noqa: E402
from phones import Phone  # noqa: E402
from sound import RATE, RAW, get_share, make_tone  # noqa: E402

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
SINKS = ("mic_a", "ear_a", "mic_b", "ear_b")
CONVERGENCE_S = 8
PATIENCE_S = 15
CLEAN = 0.8               # share of a tone in a second that is heard without a gap
LOUD = 2000               # of 5657, the level of a tone that is said
CANCELLED_DB = 15         # asked for before anything was measured


def get_level(samples):
    """dB above one step."""
    return 10 * math.log10(max(1, sum(x * x for x in samples) / max(1, len(samples))))


def get_usual_level(samples):
    """The median of the seconds: on a busy machine a loudspeaker runs dry now and then, after
    which a canceller has to find the echo anew."""
    return statistics.median(get_level(samples[i:i + RATE]) for i in range(0, len(samples), RATE))


def has_echo_canceller():
    return subprocess.run(["gst-inspect-1.0", "--exists", "webrtcdsp"], check=False).returncode == 0


def make_speech(folder):
    """Recorded speech as the sound server takes it."""
    prompt, speech = folder / "prompt.wav", folder / "speech.raw"
    subprocess.run(["sh", "-c", f". tests/packages.sh && tfrc_make_speech demo-instruct '{prompt}' && "
                    f"gst-launch-1.0 -q filesrc location='{prompt}' ! wavparse ! audioconvert ! "
                    f"audioresample ! audio/x-raw,format=S16LE,rate={RATE},channels=1 ! "
                    f"filesink location='{speech}'"], cwd=ROOT, check=True)
    return speech.read_bytes()


class Softphone(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.server = sound.SoundServer(self.folder, SINKS)
        self.addCleanup(self.server.stop)

    def phone(self, letter, microphone, *arguments):
        """A phone whose microphone hears that sink."""
        env = dict(self.server.env, PULSE_SINK=f"ear_{letter}", PULSE_SOURCE=f"{microphone}.monitor")
        phone = Phone(BUILD / "examples/softphone/softphone", *arguments, env=env)
        self.addCleanup(phone.stop)
        return phone

    def call(self, *arguments, microphone="mic_a"):
        """Callee and caller, once they talk; arguments are the caller's."""
        port = free_port()
        callee = self.phone("b", "mic_b", "--no-echo-cancel", "--listen", "--port", str(port))
        callee.wait_for("waiting", 10)
        caller = self.phone("a", microphone, "--call", f"127.0.0.1:{port}",
                            "--port", str(free_port()), *arguments)
        callee.wait_for("calls; a accepts", 20)
        self.assertNotIn("talking to", caller.read())
        callee.press("a")
        caller.wait_for("talking to", 20)
        callee.wait_for("talking to", 20)
        return callee, caller

    def play(self, sink, samples):
        """Plays the samples, and returns what ends them."""
        file = self.folder / f"{sink}.raw"
        file.write_bytes(samples)
        child = subprocess.Popen(["pacat", "--playback", f"--device={sink}", *RAW, str(file)],
                                 env=self.server.env)

        def stop():
            child.kill()
            child.wait()
        self.addCleanup(stop)
        return stop

    def speak(self, sink, hertz):
        self.play(sink, make_tone(hertz, 1) * 30)

    def wait_for_tone(self, ear, hertz):
        """Waits for a second in which a loudspeaker plays little but that tone. A call begins with
        slow start, and a busy sound server leaves gaps."""
        end = time.monotonic() + PATIENCE_S
        share = level = 0
        while share < CLEAN or level < LOUD:
            self.assertLess(time.monotonic(), end, f"{ear}: never a clean second")
            share, level = get_share(self.server.hear(ear), hertz)
            print(f"{ear} hears {100 * share:.0f} % of {hertz} Hz, level {level:.0f}")

    def test_a_call_by_microphone_and_loudspeaker_with_its_keys(self):
        callee, caller = self.call("--no-echo-cancel")
        self.speak("mic_a", 500)
        self.speak("mic_b", 800)
        self.wait_for_tone("ear_b", 500)
        self.wait_for_tone("ear_a", 800)
        caller.press("m")
        caller.wait_for("muted", 5)
        time.sleep(1)
        self.assertLess(get_share(self.server.hear("ear_b"), 500)[1], 100)
        caller.press("m")
        time.sleep(1.5)
        self.assertGreater(get_share(self.server.hear("ear_b"), 500)[1], LOUD)
        caller.press("q")
        caller.wait_for("the call has ended", 5)
        callee.wait_for("the call has ended", 5)
        self.assertEqual(caller.child.wait(5), 0)
        # the phone that was called listens on
        time.sleep(1)
        self.assertEqual(callee.read().count("waiting for a call"), 2)
        callee.press("q")
        self.assertEqual(callee.child.wait(5), 0)

    def get_echo(self, speech, *arguments):
        """The levels that the remote hears while it speaks alone, and while the local end does."""
        callee, caller = self.call(*arguments, microphone="ear_a")
        end_of_speech = self.play("mic_b", speech * 8)
        time.sleep(CONVERGENCE_S)
        echo = get_usual_level(self.server.hear("ear_b", 8))
        end_of_speech()
        time.sleep(1)
        # in the room, and nothing that the phone has played
        end_of_speech = self.play("ear_a", speech)
        time.sleep(1)
        near = get_usual_level(self.server.hear("ear_b", 3))
        end_of_speech()
        caller.press("q")
        callee.wait_for("the call has ended", 5)
        callee.press("q")
        for phone in callee, caller:
            phone.child.wait(5)
        return echo, near

    def test_the_remote_does_not_hear_itself(self):
        if not has_echo_canceller():
            self.skipTest("no webrtcdsp")
        speech = make_speech(self.folder)
        subprocess.run(["pactl", "set-source-volume", "ear_a.monitor", "50%"],
                       env=self.server.env, check=True)
        echo, near = self.get_echo(speech, "--no-echo-cancel")
        left, passed = self.get_echo(speech)
        print(f"echo {echo:.0f} dB, with the canceller {left:.0f} dB; "
              f"the near end {near:.0f} and {passed:.0f} dB")
        self.assertGreater(passed, 0)
        # a canceller has to find the echo anew after each stall
        self.assertGreater(echo - left, CANCELLED_DB)
        # nor is the near end made louder, and what is left of the echo with it
        self.assertLess(abs(passed - near), 6)


if __name__ == "__main__":
    cases.main(Softphone, sound.check_parts)
