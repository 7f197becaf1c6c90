"""Runs the stages' programs: in parallel, with progress, each result kept on disk
so that an interrupted run goes on where it stopped.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed


class Runner:
    def __init__(self, programs, cache, workers):
        self.programs = programs        # {stage: path or None}
        self.cache = cache
        self.workers = workers
        self.stamps = {s: self._stamp(p) for s, p in programs.items() if p}
        os.makedirs(cache, exist_ok=True)

    @staticmethod
    def _stamp(path):
        """A result is only good for the program that made it; how it is described to a debugger
        does not matter."""
        with tempfile.NamedTemporaryFile() as bare:
            subprocess.run(["strip", "-s", "-R", ".note.gnu.build-id", "-o", bare.name, path],
                           check=True)
            with open(bare.name, "rb") as file:
                return hashlib.sha256(file.read()).hexdigest()[:16]

    def has(self, stage):
        return bool(self.programs.get(stage))

    def _name(self, job):
        stage = dict(job)["stage"]
        text = json.dumps([self.stamps[stage], job])
        return os.path.join(self.cache, hashlib.sha256(text.encode()).hexdigest()[:24] + ".json")

    def load(self, job):
        try:
            with open(self._name(job)) as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def _run(self, job):
        params = dict(job)
        stage = params.pop("stage")
        words = [self.programs[stage]]
        for key, value in params.items():
            for one in value if isinstance(value, tuple) else (value,):
                words.append(f"{key}={one}")
        begin = time.monotonic()
        status, out, error, cpu_s = self._execute(words)
        if status:
            raise RuntimeError(f"{' '.join(words)}\n{error.strip()[-2000:]}")
        result = {"run": {"cpu_s": cpu_s}}
        for line in out.splitlines():
            flow, metric, value = line.split()
            result.setdefault(flow, {})[metric] = float(value)
        name = self._name(job)
        with open(name + ".part", "w") as file:
            json.dump(result, file)
        os.replace(name + ".part", name)
        return time.monotonic() - begin

    @staticmethod
    def _execute(words):
        """Status, output, errors and the processor time of a program."""
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
            child = subprocess.Popen(words, stdout=out, stderr=error)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            error.seek(0)
            return child.returncode, out.read(), error.read(), usage.ru_utime + usage.ru_stime

    def run(self, jobs):
        """Runs those of `jobs` that are not on disk. Returns the ones that failed."""
        waiting = [j for j in jobs if self.load(j) is None]
        if len(jobs) > len(waiting):
            print(f"{len(jobs) - len(waiting)} of {len(jobs)} runs are on disk already")
        failed, begin, spent = {}, time.monotonic(), 0.0
        with ThreadPoolExecutor(self.workers) as pool:
            futures = {pool.submit(self._run, j): j for j in waiting}
            try:
                for count, future in enumerate(as_completed(futures), 1):
                    if future.exception():
                        failed[futures[future]] = str(future.exception())
                        if len(failed) <= 3:
                            print("\nfailed: " + str(future.exception()), file=sys.stderr)
                    else:
                        spent += future.result()
                    self._progress(count, len(waiting), time.monotonic() - begin)
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                print("\nstopped; what is done is kept, the same command goes on from here")
                raise SystemExit(130) from None
        if failed:
            print(f"{len(failed)} runs failed", file=sys.stderr)
        return failed

    @staticmethod
    def _progress(count, total, elapsed):
        left = elapsed / count * (total - count)
        text = f"{count}/{total} runs, {elapsed:.0f} s gone, about {left:.0f} s left"
        if sys.stdout.isatty():
            print(f"\r{text}   ", end="\n" if count == total else "", flush=True)
        elif count == total or count % max(1, total // 20) == 0:
            print(text, flush=True)


def job(run, seed):
    """A hashable, JSON-safe description of one run."""
    params = dict(run)
    params["seed"] = seed
    return tuple(sorted(params.items()))
