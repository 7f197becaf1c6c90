#!/usr/bin/python3
"""The softphone with a sound server: two phones, each with a microphone and a loudspeaker.

  tests/live/play.py tests/live/softphone.py BUILD

A PulseAudio of the test's own has four null sinks. What is played into one is what a
microphone hears; what a loudspeaker plays is recorded from another. Keys go to the phones
through terminals. Where a microphone stands beside its loudspeaker, it hears that sink.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import math
import os
import pathlib
import pty
import shutil
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

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
RATE = 48000
SINKS = ("mic_a", "ear_a", "mic_b", "ear_b")
CONVERGENCE_S = 8
CANCELLED_DB = 15         # asked for before anything was measured
RAW = ["--raw", f"--rate={RATE}", "--channels=1", "--format=s16le"]


class SoundServer:
    def __init__(self, folder):
        socket = folder / "native"
        self.env = dict(os.environ, PULSE_SERVER=f"unix:{socket}", XDG_RUNTIME_DIR=str(folder),
                        HOME=str(folder), PULSE_RUNTIME_PATH=str(folder))
        modules = [f"module-null-sink sink_name={name} rate={RATE}" for name in SINKS]
        modules.append(f"module-native-protocol-unix auth-anonymous=1 socket={socket}")
        self.log = open(folder / "pulse.log", "w", encoding="utf-8")
        self.child = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm=yes",
             "--use-pid-file=no", *(word for m in modules for word in ("-L", m))],
            env=self.env, stdout=self.log, stderr=subprocess.STDOUT)
        end = time.monotonic() + 10
        while subprocess.run(["pactl", "info"], env=self.env, check=False,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            if self.child.poll() is not None or time.monotonic() > end:
                raise RuntimeError((folder / "pulse.log").read_text())
            time.sleep(0.1)

    def stop(self):
        self.child.terminate()
        self.child.wait()
        self.log.close()


class Phone:
    """A softphone in a terminal of its own, and the sink that its microphone hears."""

    def __init__(self, server, letter, microphone, *arguments):
        self.terminal, inner = pty.openpty()
        env = dict(server.env, PULSE_SINK=f"ear_{letter}", PULSE_SOURCE=f"{microphone}.monitor")
        self.child = subprocess.Popen([str(BUILD / "examples/softphone/softphone"), *arguments],
                                      env=env, stdin=inner, stdout=inner, stderr=inner)
        os.close(inner)
        os.set_blocking(self.terminal, False)
        self.said = ""

    def read(self):
        try:
            self.said += os.read(self.terminal, 65536).decode(errors="replace")
        except OSError:                         # nothing now, or nobody there any more
            pass
        return self.said

    def wait_for(self, text, seconds):
        end = time.monotonic() + seconds
        while text not in self.read():
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


def make_tone(hertz, seconds):
    return array.array("h", (int(8000 * math.sin(2 * math.pi * hertz * i / RATE))
                             for i in range(int(seconds * RATE)))).tobytes()


def get_share_of(sound, hertz):
    power = sum(x * x for x in sound) / max(1, len(sound))
    sine, cosine = (sum(x * f(2 * math.pi * hertz * i / RATE) for i, x in enumerate(sound))
                    for f in (math.sin, math.cos))
    tone = 2 * (sine * sine + cosine * cosine) / max(1, len(sound)) ** 2
    return (tone / power if power else 0), power


def get_share(sound, hertz):
    """How much of the sound is that tone, and its level. By pieces of 50 ms: clocks of sound
    cards differ, so that a tone slips."""
    pieces = [get_share_of(sound[i:i + RATE // 20], hertz)
              for i in range(0, len(sound) - RATE // 20 + 1, RATE // 20)]
    shares, powers = zip(*pieces)
    return sum(shares) / len(pieces), math.sqrt(sum(powers) / len(pieces))


def get_level(sound):
    """dB above one step."""
    return 10 * math.log10(max(1, sum(x * x for x in sound) / max(1, len(sound))))


def get_usual_level(sound):
    """The median of the seconds: on a busy machine a loudspeaker runs dry now and then, after
    which a canceller has to find the echo anew."""
    return statistics.median(get_level(sound[i:i + RATE]) for i in range(0, len(sound), RATE))


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
        self.server = SoundServer(self.folder)
        self.addCleanup(self.server.stop)

    def phone(self, letter, *arguments):
        phone = Phone(self.server, letter, *arguments)
        self.addCleanup(phone.stop)
        return phone

    def call(self, *arguments, microphone="mic_a"):
        """Callee and caller, once they talk; arguments are the caller's."""
        port = free_port()
        callee = self.phone("b", "mic_b", "--no-echo-cancel", "--listen", "--port", str(port))
        callee.wait_for("waiting", 10)
        caller = self.phone("a", microphone, "--call", f"127.0.0.1:{port}",
                            "--port", str(free_port()), *arguments)
        caller.wait_for("talking to", 20)
        callee.wait_for("talking to", 20)
        return callee, caller

    def hear(self, sink, seconds=1):
        child = subprocess.Popen(["parec", f"--device={sink}.monitor", "--latency-msec=50", *RAW],
                                 env=self.server.env, stdout=subprocess.PIPE)
        data = child.stdout.read(int(seconds * RATE) * 2)
        child.terminate()
        child.wait()
        child.stdout.close()
        return array.array("h", data)

    def play(self, sink, sound):
        """Plays the sound, and returns what ends it."""
        file = self.folder / f"{sink}.raw"
        file.write_bytes(sound)
        child = subprocess.Popen(["pacat", "--playback", f"--device={sink}", *RAW, str(file)],
                                 env=self.server.env)

        def stop():
            child.kill()
            child.wait()
        self.addCleanup(stop)
        return stop

    def speak(self, sink, hertz):
        self.play(sink, make_tone(hertz, 1) * 30)

    def test_a_call_by_microphone_and_loudspeaker_with_its_keys(self):
        callee, caller = self.call("--no-echo-cancel")
        self.speak("mic_a", 500)
        self.speak("mic_b", 800)
        time.sleep(4)
        for ear, tone in (("ear_b", 500), ("ear_a", 800)):
            share, level = get_share(self.hear(ear), tone)
            print(f"{ear} hears {100 * share:.0f} % of {tone} Hz, level {level:.0f}")
            self.assertGreater(share, 0.8)
            self.assertGreater(level, 2000)
        caller.press("m")
        caller.wait_for("muted", 5)
        time.sleep(1)
        self.assertLess(get_share(self.hear("ear_b"), 500)[1], 100)
        caller.press("m")
        time.sleep(1.5)
        self.assertGreater(get_share(self.hear("ear_b"), 500)[1], 2000)
        caller.press("q")
        caller.wait_for("the call has ended", 5)
        callee.wait_for("the call has ended", 5)
        self.assertEqual(caller.child.wait(5), 0)
        self.assertEqual(callee.child.wait(5), 0)

    def get_echo(self, speech, *arguments):
        """The levels that a far end hears while it speaks alone, and while the near end does."""
        callee, caller = self.call(*arguments, microphone="ear_a")
        end_of_speech = self.play("mic_b", speech * 8)
        time.sleep(CONVERGENCE_S)
        echo = get_usual_level(self.hear("ear_b", 8))
        end_of_speech()
        time.sleep(1)
        # in the room, and nothing that the phone has played
        end_of_speech = self.play("ear_a", speech)
        time.sleep(1)
        near = get_usual_level(self.hear("ear_b", 3))
        end_of_speech()
        caller.press("q")
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


def check_parts():
    if not (shutil.which("pulseaudio") and shutil.which("parec")):
        cases.skip("no PulseAudio: see tests/packages.sh")


if __name__ == "__main__":
    cases.main(Softphone, check_parts)
