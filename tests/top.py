#!/usr/bin/python3
"""tfrc-top: what it reads, prints, shows in a pseudo terminal, records and draws.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import csv
import fcntl
import http.server
import importlib.util
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = TOP / "tools/tfrc_top.py"
CALL, SINK, SEND = "/GstPipeline:p/GstTfrcBin:call", "/GstPipeline:p/GstTfrcSink:sink", "/GstPipeline:p/X:send"
RATE = 10000                    # bytes/s that depart
TEXT = f"""# HELP tfrc_flow_info of the flow
tfrc_flow_info{{element="{CALL}",peer="0",ssrc="1",remote_ssrc="2",kind="tfrcbin",label="al \\"ice\\"\x1b[2J"}} 1
tfrc_flow_info{{element="{CALL}",peer="1",ssrc="3",remote_ssrc="4",kind="tfrcbin",address="192.0.2.9:5004"}} 1
tfrc_flow_info{{element="{SINK}",ssrc="9",kind="tfrcsink"}} 1
tfrc_flow_info{{element="{SEND}",ssrc="77",kind="rtptfrcsend"}} 1
tfrc_flow_info{{element="{SEND}",ssrc="78",kind="rtptfrcsend"}} 1
tfrc_connection_state{{element="{CALL}",peer="0",state="waiting"}} 0
tfrc_connection_state{{element="{CALL}",peer="0",state="connected"}} 1
tfrc_connection_state{{element="{CALL}",peer="1",state="lost"}} 1
tfrc_connection_state{{element="{SEND}",state="gone"}} 1
tfrc_circuit_breaker_state{{element="{CALL}",peer="0",state="reduced"}} 1
tfrc_sender_allowed_rate_bytes_per_second{{element="{CALL}",peer="0"}} 12500
tfrc_sender_round_trip_time_seconds{{element="{CALL}",peer="0"}} 0.0815
tfrc_sender_loss_event_ratio{{element="{CALL}",peer="0"}} 0.0123
tfrc_receiver_jitter_seconds{{element="{CALL}",peer="0"}} 0.0061
tfrc_flow_refused_packets_total{{element="{CALL}",peer="0",reason="malformed"}} 3
tfrc_flow_refused_packets_total{{element="{CALL}",peer="0",reason="srtp"}} 4
tfrc_encoder_rate_bytes_per_second{{element="/GstPipeline:p/E:e"}} 3000
tfrc_encoder_packet_time_seconds{{element="/GstPipeline:p/E:e"}} 0.04
tfrc_encoder_redundant_copies{{element="/GstPipeline:p/E:e"}} 1
tfrc_encoder_expected_mos{{element="/GstPipeline:p/E:e"}} 4.04
tfrc_encoder_info{{element="/GstPipeline:p/E:e",flow="{CALL}",peer="0",codec="OPUS"}} 1
"""


class Server:
    """A process with calls, whose counters grow as time passes."""

    def __enter__(self):
        start = time.monotonic()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802
                passed = time.monotonic() - start
                counters = "".join(f'tfrc_{name}{{element="{CALL}",peer="0"}} {value * passed}\n' for name, value in (
                    ("sender_bytes_total", RATE), ("sender_packets_total", 25), ("receiver_packets_total", 45),
                    ("receiver_lost_packets_total", 5)))
                self.send_response(200)
                self.end_headers()
                self.wfile.write((TEXT + counters).encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return str(self.server.server_address[1])

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def run(*arguments):
    return subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          timeout=60)


class Terminal:
    """tfrc-top in a pseudo terminal of that size."""

    def __init__(self, rows, columns, *arguments):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.master, self.seen = master, ""
        self.child = subprocess.Popen([sys.executable, PROGRAM, *arguments], stdin=slave, stdout=slave, stderr=slave,
                                      env={**os.environ, "TERM": "vt100"}, start_new_session=True)
        os.close(slave)

    def read_until(self, pattern, seconds=20):
        """All that came, without what moves the cursor."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            if time.monotonic() > end or not select.select([self.master], [], [], end - time.monotonic())[0]:
                raise AssertionError(f"{pattern} is not in {self.seen!r}")
            try:
                data = os.read(self.master, 65536).decode()
            except OSError as error:
                raise AssertionError(f"{pattern} is not in {self.seen!r}") from error
            self.seen += re.sub(r"\x1b(\[[?\d;]*[a-zA-Z]|[()].|[=>78])|[\x00\x0f]", " ", data)

    def close(self):
        self.child.kill()
        self.child.wait()
        os.close(self.master)


def load():
    spec = importlib.util.spec_from_file_location("tfrc_top", PROGRAM)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Top(unittest.TestCase):
    def test_a_table_has_each_call(self):
        with Server() as port:
            done = run("--once", port)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        head, *lines = done.stdout.splitlines()
        self.assertEqual(head.split()[0], "CALL")
        self.assertEqual(len(lines), 5)
        alice = next(line for line in lines if line.startswith("call/0 "))
        self.assertTrue(alice.startswith('call/0 al "ice"?[2J '), alice)
        _, state, point, rest = re.split(r"  +", alice, maxsplit=3)
        allowed, sent, received, rtt, p, lost, jitter, mos, breaker, refused = rest.split()
        self.assertEqual((state, point), ("connected", "OPUS 24/40 +1"))
        self.assertEqual((allowed, received, rtt, p, jitter, mos, breaker, refused),
                         ("100.0", "-", "82", "1.23", "6", "4.0", "reduced", "7"))
        self.assertAlmostEqual(float(sent), 8e-3 * RATE, delta=4)
        self.assertAlmostEqual(float(lost), 10, delta=1)
        other = next(line for line in lines if line.startswith("call/1 192.0.2.9:5004")).split()
        self.assertEqual(other[2:6], ["lost", "-", "-", "-"])
        self.assertTrue(any(line.startswith("sink ") for line in lines))
        # What is known of a filter is said of each of its flows.
        self.assertEqual([line.split()[:3] for line in lines if line.startswith("send")],
                         [["send", "77", "gone"], ["send", "78", "gone"]])

    def test_a_process_that_is_not_reached_is_named(self):
        with Server() as port:
            done = run("--once", "--interval", "0.1", port, "127.0.0.1:1")
            self.assertEqual(done.returncode, 0)
            self.assertIn(f"{port}:\n", done.stdout)
            self.assertRegex(done.stdout, "127.0.0.1:1: .*refused")
        done = run("--once", "--interval", "0.1", "1")
        self.assertEqual(done.returncode, 1)

    def test_a_server_that_never_ends_is_given_up(self):
        module = load()
        module.TIMEOUT = 1

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802
                self.send_response(200)
                self.end_headers()
                try:
                    while True:
                        self.wfile.write(b"a" * 1000)
                        time.sleep(0.05)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            processes = module.Processes([str(server.server_address[1])])
            begin = time.monotonic()
            processes.update()
            self.assertLess(time.monotonic() - begin, 5)
            self.assertIn("no end", next(iter(processes.errors.values())))
            server.shutdown()

    def test_a_terminal_shows_the_calls_until_q(self):
        with Server() as port:
            terminal = Terminal(24, 150, "--interval", "0.2", port)
            self.addCleanup(terminal.close)
            terminal.read_until(r'(?s)CALL.*BREAKER.*call/0 al "ice"\?\[2J.*connected.*OPUS 24/40 \+1.*sink')
            terminal.seen = ""
            terminal.read_until(r"80\.\d|79\.\d")       # a rate comes with the second look
            os.write(terminal.master, b"q")
            self.assertEqual(terminal.child.wait(timeout=20), 0)

    def test_a_small_terminal_scrolls(self):
        with Server() as port:
            terminal = Terminal(4, 50, "--interval", "30", port)
            self.addCleanup(terminal.close)
            terminal.read_until(r"(?s)call/0.*call/1")
            self.assertNotIn("REFUSED", terminal.seen)
            self.assertNotIn("send 77", terminal.seen)
            for _ in range(11):
                os.write(terminal.master, b"\x1bOC")    # right
            terminal.read_until("REFUSED")
            for _ in range(2):
                os.write(terminal.master, b"\x1bOB")    # down
            terminal.read_until("send 77")
            os.write(terminal.master, b"q")
            self.assertEqual(terminal.child.wait(timeout=20), 0)

    def test_without_a_terminal_the_remedy_is_named(self):
        done = run("1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--once", done.stderr)

    def test_a_record_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder, Server() as port:
            record, picture = pathlib.Path(folder, "calls.csv"), pathlib.Path(folder, "call.png")
            terminal = Terminal(24, 150, "--interval", "0.1", "--record", record, port)
            self.addCleanup(terminal.close)
            end = time.monotonic() + 20
            while not record.exists() or record.read_text("utf-8").count("\n") < 40:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.1)
            os.write(terminal.master, b"q")
            terminal.child.wait(timeout=20)
            with open(record, newline="", encoding="utf-8") as source:
                rows = [row for row in csv.DictReader(source) if row["call"].startswith("call/0")]
            self.assertGreater(len(rows), 5)
            for row in rows:
                self.assertAlmostEqual(float(row["offered_kbps"]), 8e-3 * RATE, delta=20)
                self.assertEqual([row["state"], *(float(row[name]) for name in ("encoder_bps", "frame_ms", "rtt_ms"))],
                                 ["connected", 24000, 40, 81.5])
            done = run("--plot", picture, record)
            self.assertEqual(done.returncode, 1)
            self.assertIn("--call NAME chooses one of: call/0", done.stderr)
            done = run("--plot", picture, "--call", "call/0", record)
            if "python3-matplotlib" in done.stderr:
                self.skipTest("matplotlib is not installed")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(picture.read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
