"""Runs the stages' programs by Dask, here or on a cluster, with progress. Each result is kept on disk, so that an
interrupted run goes on where it stopped.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

import execution


class Runner:
    """`workers` is how many programs run at once on this machine; `scheduler` is the address of a Dask scheduler
    whose workers take the jobs instead."""

    def __init__(self, programs, cache, workers, scheduler=None):
        self.programs = programs        # {stage: path or None}
        self.cache = cache
        self.workers = workers
        self.scheduler = scheduler
        self.stamps = {s: self._stamp(p) for s, p in programs.items() if p}
        self.digests = {s: execution.digest(p) for s, p in programs.items() if p}
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

    def _words(self, job):
        params = dict(job)
        words = [os.path.abspath(self.programs[params.pop("stage")])]
        for key, value in params.items():
            words += [f"{key}={one}" for one in (value if isinstance(value, tuple) else (value,))]
        return words, self.digests[dict(job)["stage"]]

    def _save(self, job, result):
        name = self._name(job)
        with open(name + ".part", "w") as file:
            json.dump(result, file)
        os.replace(name + ".part", name)

    @contextlib.contextmanager
    def _client(self):
        """A client of the scheduler, or of a scheduler inside this process."""
        import cloudpickle
        import distributed
        cloudpickle.register_pickle_by_value(execution)
        with contextlib.ExitStack() as stack:
            address = self.scheduler or stack.enter_context(distributed.LocalCluster(
                n_workers=1, threads_per_worker=self.workers, processes=False, memory_limit=0,
                dashboard_address=None))
            yield stack.enter_context(distributed.Client(address, set_as_default=False))

    def _results(self, jobs):
        """(job, its result or None, why it failed) as they come."""
        if not self.scheduler and self.workers == 1:
            for job in jobs:
                try:
                    yield job, execution.execute(*self._words(job)), ""
                except (OSError, RuntimeError) as error:
                    yield job, None, str(error)
            return
        import distributed

        # Dask pickles what it can by name, and this one by value: the workers know no module `execution`.
        def execute(*words):
            return execution.execute(*words)
        with self._client() as client:
            futures = {client.submit(execute, *self._words(j), pure=False): j for j in jobs}
            for future in distributed.as_completed(futures, loop=client.loop):
                job, error = futures.pop(future), future.exception()
                yield job, None if error else future.result(), str(error or "")
                future.release()

    def run(self, jobs):
        """Runs those of `jobs` that are not on disk. Returns the ones that failed."""
        waiting = [j for j in jobs if self.load(j) is None]
        if len(jobs) > len(waiting):
            print(f"{len(jobs) - len(waiting)} of {len(jobs)} runs are on disk already")
        failed, begin = {}, time.monotonic()
        try:
            for count, (job, result, error) in enumerate(self._results(waiting) if waiting else (), 1):
                if result is None:
                    failed[job] = error
                    if len(failed) <= 3:
                        print("\nfailed: " + error, file=sys.stderr)
                else:
                    self._save(job, result)
                self._progress(count, len(waiting), time.monotonic() - begin)
        except KeyboardInterrupt:
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
