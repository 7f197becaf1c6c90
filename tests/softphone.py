#!/usr/bin/python3
"""The softphone with a sound server: two phones, each with a microphone and a loudspeaker.

  tests/softphone.py BUILD

A PulseAudio of the test's own has four null sinks. What is played into one is what a
microphone hears; what a loudspeaker plays is recorded from another. Keys go to the phones
through terminals.

SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import math
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "examples"))
from demo import free_port  # noqa: E402

BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
RATE = 48000
SINKS = ("mic_a", "ear_a", "mic_b", "ear_b")
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
    """A softphone in a terminal of its own."""

    def __init__(self, server, letter, *arguments):
        self.terminal, inner = pty.openpty()
        env = dict(server.env, PULSE_SINK=f"ear_{letter}", PULSE_SOURCE=f"mic_{letter}.monitor")
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

    def call(self, *arguments):
        """Callee and caller, once they talk; arguments are the caller's."""
        port = free_port()
        callee = self.phone("b", "--no-echo-cancel", "--listen", "--port", str(port))
        callee.wait_for("waiting", 10)
        caller = self.phone("a", "--call", f"127.0.0.1:{port}", "--port", str(free_port()),
                            *arguments)
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

    def speak(self, sink, hertz):
        tone = self.folder / f"{hertz}.raw"
        tone.write_bytes(make_tone(hertz, 1) * 30)
        child = subprocess.Popen(["pacat", "--playback", f"--device={sink}", *RAW, str(tone)],
                                 env=self.server.env)

        def stop():
            child.kill()
            child.wait()
        self.addCleanup(stop)

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


if __name__ == "__main__":
    if not (shutil.which("pulseaudio") and shutil.which("parec")):
        print("no PulseAudio: see tests/packages.sh")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], "-v"])
