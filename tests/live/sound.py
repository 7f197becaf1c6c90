"""A sound server of the test's own, what is played to it and heard from it, and tones.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import array
import math
import os
import shutil
import subprocess
import time

import cases

RATE = 48000
RAW = ["--raw", f"--rate={RATE}", "--channels=1", "--format=s16le"]


def check_parts():
    """Skips the test where there is no sound server."""
    if not (shutil.which("pulseaudio") and shutil.which("parec")):
        cases.skip("no PulseAudio: see tests/packages.sh")


class SoundServer:
    """A PulseAudio with null sinks of these names."""

    def __init__(self, folder, sinks):
        socket = folder / "native"
        self.env = dict(os.environ, PULSE_SERVER=f"unix:{socket}", XDG_RUNTIME_DIR=str(folder),
                        HOME=str(folder), PULSE_RUNTIME_PATH=str(folder))
        modules = [f"module-null-sink sink_name={name} rate={RATE}" for name in sinks]
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

    def hear(self, sink, seconds=1):
        """What is played into a sink from now on."""
        child = subprocess.Popen(["parec", f"--device={sink}.monitor", "--latency-msec=50", *RAW],
                                 env=self.env, stdout=subprocess.PIPE)
        data = child.stdout.read(int(seconds * RATE) * 2)
        child.terminate()
        child.wait()
        child.stdout.close()
        return array.array("h", data)


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
