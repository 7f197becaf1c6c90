#!/usr/bin/python3
"""The tracer tfrcmetrics, at two-way calls by gst-launch-1.0: scraped by promtool and Prometheus, and by
clients that behave badly.

  tests/live/play.py tests/live/metrics.py BUILD

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import cases

CALL = ("gst-launch-1.0 -q tfrcbin name=call port={} peer=127.0.0.1:{} mode=tfrc-sp audiotestsrc is-live=true ! "
        "tfrcencodebin ! call.send_sink_0 call.recv_src_0 ! tfrcdecodebin ! fakesink")
OPENMETRICS = {"Accept": "application/openmetrics-text"}
CONFIG = """
global: {scrape_interval: 1s}
scrape_configs:
- job_name: calls
  static_configs: [{targets: ["127.0.0.1:%d"]}]
"""


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def fetch(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
        return answer.read().decode("utf-8"), answer.headers["Content-Type"]


def wait_for(question, what, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = question()
        if answer:
            return answer
        time.sleep(0.2)
    raise AssertionError(f"{what}: not within {seconds} s")


class Metrics(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, command, name, **environment):
        """A process whose output is in the file `name`; the tracer logs to name.gst."""
        log = open(self.folder / name, "w", encoding="utf-8")
        self.addCleanup(log.close)
        child = subprocess.Popen(command.split() if isinstance(command, str) else command, stdout=log,
                                 stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                 env={**os.environ, "GST_DEBUG": "tfrcmetrics:5", "GST_DEBUG_NO_COLOR": "1",
                                      "GST_DEBUG_FILE": str(self.folder / f"{name}.gst"), **environment})
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def read(self, name):
        path = self.folder / name
        return path.read_text("utf-8") if path.exists() else ""

    def call(self, parameters="port=0"):
        """A call between two processes, the first of which serves metrics: its address."""
        first, second = 25610, 25612
        self.caller = self.start(CALL.format(first, second), "caller", GST_TRACERS=f"tfrcmetrics({parameters})")
        self.start(CALL.format(second, first), "called")
        found = wait_for(lambda: re.search(r"metrics are at (http://\S+)", self.read("caller.gst")), "the INFO line")
        return found.group(1)

    def wait_until_connected(self, url):
        wait_for(lambda: re.search(r'tfrc_connection_state{[^}]*state="connected"} 1\n', fetch(url)[0]), "the call")

    def test_promtool_and_prometheus_read_a_call(self):
        for needed in ("promtool", "prometheus"):
            if shutil.which(needed) is None:
                self.skipTest(f"{needed} is not installed")
        url = self.call()
        self.wait_until_connected(url)
        text, kind = fetch(url)
        self.assertEqual(kind, "text/plain; version=0.0.4; charset=utf-8")
        judged = subprocess.run(["promtool", "check", "metrics"], input=text, text=True, capture_output=True,
                                check=False)
        self.assertEqual((judged.returncode, judged.stdout + judged.stderr), (0, ""))

        own = free_port()
        (self.folder / "prometheus.yml").write_text(CONFIG % int(url.split(":")[2].split("/")[0]), "utf-8")
        self.start(["prometheus", f"--config.file={self.folder / 'prometheus.yml'}",
                    f"--storage.tsdb.path={self.folder / 'data'}", f"--web.listen-address=127.0.0.1:{own}"],
                   "prometheus")

        def ask(query):
            try:
                answer = json.loads(fetch(f"http://127.0.0.1:{own}/api/v1/query?query={query}")[0])
            except OSError:
                return []
            return answer["data"]["result"]

        series = wait_for(lambda: ask("rate(tfrc_sender_packets_total[5s])%3E0"), "a rate in Prometheus", 30)
        self.assertEqual(series[0]["metric"]["peer"], "0")
        self.assertTrue(series[0]["metric"]["element"].endswith("/GstTfrcBin:call"))
        self.assertEqual(len(ask("tfrc_sender_packets_total")), 1)
        mos = ask("tfrc_encoder_expected_mos%20*%20on(element)%20group_left(codec)%20tfrc_encoder_info")
        self.assertEqual(mos[0]["metric"]["codec"], "OPUS")
        self.assertGreater(float(mos[0]["value"][1]), 3)
        # Prometheus asked for OpenMetrics, and kept its types.
        types = json.loads(fetch(f"http://127.0.0.1:{own}/api/v1/metadata?metric=tfrc_flow")[0])["data"]
        self.assertEqual(types["tfrc_flow"][0]["type"], "info")

    def test_tfrc_top_shows_a_call(self):
        url = self.call()
        self.wait_until_connected(url)
        top = pathlib.Path(__file__).resolve().parent.parent.parent / "tools/tfrc_top.py"
        shown = subprocess.run([top, "--once", url], capture_output=True, text=True, check=True).stdout
        self.assertRegex(shown, r"\ncall/0 127.0.0.1:25612 +connected +OPUS \d+/\d+ .* closed +0\n")

    def test_nothing_is_done_while_nobody_asks(self):
        url = self.call()
        self.wait_until_connected(url)
        thread = next(task for task in pathlib.Path(f"/proc/{self.caller.pid}/task").iterdir()
                      if (task / "comm").read_text().strip() == "tfrcmetrics")

        def count():
            return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (thread / "status").read_text(), re.M).group(1))

        def idle():
            before = count()
            time.sleep(3)
            return count() == before

        wait_for(idle, "a sleeping thread", 15)
        fetch(url)

    def wait_until_connections_are_closed(self, port):
        """The server has closed all of its connections, whose descriptors are free."""
        def is_open(line):
            _, local, _, state = line.split()[:4]
            return int(local.rpartition(":")[2], 16) == port and state in ("01", "08")   # established, close-wait

        wait_for(lambda: not any(is_open(line) for name in ("tcp", "tcp6")
                                 for line in pathlib.Path(f"/proc/net/{name}").read_text().splitlines()[1:]),
                 "a server without connections", 10)

    def test_nothing_spins_while_descriptors_are_out(self):
        url = self.call()
        self.wait_until_connected(url)
        port = int(url.split(":")[2].split("/")[0])
        caller = pathlib.Path(f"/proc/{self.caller.pid}")
        thread = next(task for task in (caller / "task").iterdir()
                      if (task / "comm").read_text().strip() == "tfrcmetrics")

        def get_seconds():
            ticks = (thread / "stat").read_text().rpartition(")")[2].split()[11:13]
            return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

        # the next descriptor would be above the limit, and none becomes free below it
        self.wait_until_connections_are_closed(port)
        limits = resource.prlimit(self.caller.pid, resource.RLIMIT_NOFILE)
        taken = {int(file.name) for file in (caller / "fd").iterdir()}
        lowest = next(number for number in range(len(taken) + 1) if number not in taken)
        resource.prlimit(self.caller.pid, resource.RLIMIT_NOFILE, (lowest, limits[1]))
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.addCleanup(client.close)
        client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.settimeout(1)
        with self.assertRaises(TimeoutError):
            client.recv(100)
        before = get_seconds()
        time.sleep(2)
        self.assertLess(get_seconds() - before, 0.2)
        # the client that waits is served when there are descriptors again
        resource.prlimit(self.caller.pid, resource.RLIMIT_NOFILE, limits)
        client.settimeout(10)
        self.assertIn(b"200 OK", client.recv(65536))

    def test_clients_that_behave_badly_are_bounded(self):
        url = self.call()
        self.wait_until_connected(url)
        port = int(url.split(":")[2].split("/")[0])
        descriptors = pathlib.Path(f"/proc/{self.caller.pid}/fd")
        before = len(list(descriptors.iterdir()))

        def get_memory():
            status = pathlib.Path(f"/proc/{self.caller.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s*(\d+)", status).group(1))

        def connect():
            client = socket.create_connection(("127.0.0.1", port), timeout=20)
            self.addCleanup(client.close)
            return client

        # Connections that say nothing: the oldest end, and a scrape gets through at once.
        silent = [connect() for _ in range(100)]
        begin = time.monotonic()
        self.assertIn("tfrc_flows", fetch(url)[0])
        self.assertLess(time.monotonic() - begin, 3)
        self.assertLessEqual(len(list(descriptors.iterdir())), before + 18)
        self.assertEqual(silent[0].recv(100), b"")
        # The last ones end in 5 s.
        begin = time.monotonic()
        self.assertEqual(silent[-1].recv(100), b"")
        self.assertLess(time.monotonic() - begin, 7)
        wait_for(lambda: len(list(descriptors.iterdir())) <= before + 1, "descriptors that are closed")

        # A request line, headers and a body without an end.
        memory = get_memory()
        for opening, piece in ((b"GET /", b"a" * 65536), (b"GET /metrics HTTP/1.1\r\n", b"a: b\r\n" * 10000),
                               (b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n",
                                b"b" * 65536)):
            client = connect()
            begin = time.monotonic()
            try:
                client.sendall(opening)
                while time.monotonic() - begin < 10:
                    client.sendall(piece)
            except OSError:
                pass
            self.assertLess(time.monotonic() - begin, 8, opening)
        self.assertLess(get_memory() - memory, 16384, "kB more than before")
        self.assertIn("tfrc_flows", fetch(url)[0])

        for request, status in ((b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", b"405"),
                                (b"GET /metrics HTTP/1.1\r\nHost: rebound.example\r\n\r\n", b"403"),
                                (b"GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
                                (b"GET /metrics/more HTTP/1.1\r\nHost: localhost\r\n\r\n", b"404"),
                                (b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", b"413"),
                                (b"HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", b"200"),
                                (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", b"400")):
            client = connect()
            client.sendall(request)
            answer = client.recv(65536)
            self.assertEqual(answer.split(b" ", 2)[1], status, request)
        self.assertIsNone(self.caller.poll())
        self.assertNotIn("CRITICAL", self.read("caller"))

    def test_many_scrapes_cost_one_text(self):
        url = self.call()
        self.wait_until_connected(url)
        begin, before = time.monotonic(), self.read("caller.gst").count("bytes of text")
        n = 0
        while time.monotonic() - begin < 2:
            fetch(url)
            n += 1
        made = self.read("caller.gst").count("bytes of text") - before
        self.assertGreater(n, 2 * made)
        self.assertLessEqual(made, 22)

    def test_a_wrong_tracer_ends_no_application(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            for parameters, told in ((f"port={port}", rf"on 127.0.0.1 port {port} .*port={port + 1}.*port=0"),
                                     ("port=70000", '"port=70000" is no parameter.*0 to 65535'),
                                     ("port=http", '"port=http" is no parameter'),
                                     ("ports=9464", '"ports=9464" is no parameter.*max-flows'),
                                     ("address=localhost", '"localhost" is no numeric IP address'),
                                     ("9464", '"9464" is no parameter')):
                with self.subTest(parameters):
                    child = self.start("gst-launch-1.0 -q audiotestsrc num-buffers=5 ! fakesink", "wrong",
                                       GST_TRACERS=f"tfrcmetrics({parameters})", GST_DEBUG="0",
                                       G_DEBUG="fatal-warnings")
                    self.assertEqual(child.wait(timeout=20), 0)
                    self.assertRegex(self.read("wrong"), told)

    def test_only_loopback_is_served_unless_told_otherwise(self):
        for parameters, address in (("port=0", "127.0.0.1"), ("port=0,address=0.0.0.0", "0.0.0.0"),
                                    ("port=0, address=::1", "[::1]")):
            with self.subTest(parameters):
                name = f"end-{address}"
                child = self.start("gst-launch-1.0 -q tfrcsrc port=25614 ! fakesink", name,
                                   GST_TRACERS=f"tfrcmetrics({parameters})")
                found = wait_for(lambda n=name: re.search(r"metrics are at http://(\S+):(\d+)/metrics",
                                                          self.read(f"{n}.gst")), "the INFO line")
                self.assertEqual(found.group(1), address)
                self.assertIn("tfrc_build_info", fetch(found.group(0).split()[-1])[0])
                listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout
                self.assertIn(f" {address}:{found.group(2)} ", listening)
                child.kill()
                child.wait()


def prepare():
    os.environ["GST_PLUGIN_PATH_1_0"] = str(pathlib.Path(sys.argv[1], "gst").resolve())


if __name__ == "__main__":
    cases.main(Metrics, prepare)
