"""A cable with a delay between two network namespaces, by two TUN devices.

What is sent into the device of one namespace comes out of the other one's, byte for byte, so that the
headers of IP stay what they are. Kernels for tests seldom have netem.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import collections
import ctypes
import fcntl
import os
import select
import struct
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 1, 0x1000
CLONE_NEWNET = 0x40000000
LARGEST = 65536
LIBC = ctypes.CDLL(None, use_errno=True)


def enter_namespace(path):
    with open(path, encoding="utf-8") as file:
        if LIBC.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")


def open_tun(pid, name):
    """A device of this name in the network namespace of the process `pid`; the descriptor."""
    enter_namespace(f"/proc/{pid}/ns/net")
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return tun


class Cable:
    """Carries packets between the namespaces of two processes until it is closed."""

    def __init__(self, pids, name, delay):
        self.delay = delay
        self.tuns = []
        opener = threading.Thread(target=self.open, args=(pids, name))     # its namespace is its own
        opener.start()
        opener.join()
        if len(self.tuns) != 2:
            raise OSError("no TUN devices")
        self.stop, self.wake = os.pipe()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def open(self, pids, name):
        for pid in pids:
            self.tuns.append(open_tun(pid, name))

    def run(self):
        flights = collections.deque()           # (time, device, packet), the oldest first
        while True:
            wait = max(flights[0][0] - time.monotonic(), 0) if flights else None
            ready = select.select([*self.tuns, self.stop], [], [], wait)[0]
            if self.stop in ready:
                return
            now = time.monotonic()
            for i, tun in enumerate(self.tuns):
                if tun in ready:
                    flights.append((now + self.delay, self.tuns[1 - i], os.read(tun, LARGEST)))
            while flights and flights[0][0] <= now:
                os.write(*flights.popleft()[1:])

    def close(self):
        os.close(self.wake)
        self.thread.join()
        for file in (*self.tuns, self.stop):
            os.close(file)
