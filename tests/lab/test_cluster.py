#!/usr/bin/python3
"""Tests of the lab on a cluster: usage test_cluster.py LAB-VT. A scheduler and two workers are processes of their
own, and one of the workers is killed in the middle: all rows arrive.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from runner import Runner, job  # noqa: E402

SKIPPED = 77
VT = sys.argv.pop()
JOBS, KILL_AFTER = 60, 10       # runs, and how many are on disk when a worker is killed
LIMIT = 60                      # s until the workers have come


def start(command, scheduler_file, *words):
    """A Dask command of this Python, without its own processes or web pages."""
    return subprocess.Popen([sys.executable, "-m", f"distributed.cli.{command}", "--scheduler-file", scheduler_file,
                             "--no-dashboard", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            cwd=os.path.dirname(scheduler_file))


def wait_until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


class Cluster(unittest.TestCase):
    def setUp(self):
        import distributed
        self.folder = tempfile.TemporaryDirectory()
        file = os.path.join(self.folder.name, "scheduler.json")
        self.scheduler = start("dask_scheduler", file, "--host", "127.0.0.1", "--port", "0")
        wait_until(lambda: os.path.exists(file))
        self.workers = [start("dask_worker", file, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
                        for _ in range(2)]
        self.client = distributed.Client(scheduler_file=file, set_as_default=False)
        wait_until(lambda: self.count_workers() == 2)

    def tearDown(self):
        self.client.close()
        for process in (*self.workers, self.scheduler):
            process.terminate()
            process.wait()
        self.folder.cleanup()

    def count_workers(self):
        return len(self.client.scheduler_info()["workers"])

    def test_all_rows_arrive_though_a_worker_is_killed(self):
        cache = os.path.join(self.folder.name, "runs")
        runner = Runner({"vt": VT}, cache, 1, self.client.scheduler.address)
        jobs = [job({"stage": "vt", "loss": "bernoulli", "p": 0.05, "duration": 400, "from": 50, "flows": 20}, seed)
                for seed in range(1, 1 + JOBS)]
        left = []

        def kill():
            wait_until(lambda: len(os.listdir(cache)) >= KILL_AFTER)
            left.append(JOBS - len(os.listdir(cache)))
            self.workers[0].kill()
        killer = threading.Thread(target=kill)
        killer.start()
        failed = runner.run(jobs)
        killer.join()
        self.assertGreater(left[0], 0)
        self.assertEqual(failed, {})
        self.assertTrue(all(runner.load(one) for one in jobs))
        wait_until(lambda: self.count_workers() == 1)
        here = Runner({"vt": VT}, os.path.join(self.folder.name, "here"), 1)
        here.run(jobs[:3])
        for one in jobs[:3]:            # a row does not depend on where it ran
            self.assertEqual(here.load(one)["flow"], runner.load(one)["flow"])

    def test_a_worker_with_another_program_says_so(self):
        runner = Runner({"vt": VT}, os.path.join(self.folder.name, "other"), 1, self.client.scheduler.address)
        runner.digests["vt"] = "of another build"
        failed = runner.run([job({"stage": "vt"}, 1)])
        self.assertIn("is another program", *failed.values())


class Here(unittest.TestCase):
    def test_several_at_once_on_this_machine_give_what_one_gives(self):
        with tempfile.TemporaryDirectory() as folder:
            jobs = [job({"stage": "vt", "loss": "bernoulli", "p": 0.1}, seed) for seed in range(1, 9)]
            two, one = (Runner({"vt": VT}, os.path.join(folder, str(n)), n) for n in (2, 1))
            self.assertEqual((two.run(jobs), one.run(jobs)), ({}, {}))
            self.assertEqual([two.load(j)["flow"] for j in jobs], [one.load(j)["flow"] for j in jobs])


if __name__ == "__main__":
    if not importlib.util.find_spec("distributed"):
        print("SKIP: Dask's distributed is not installed (python3-distributed)")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
