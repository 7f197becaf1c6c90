"""The builds of the mutation check: one with gcov, which shows what each test covers, and copies of
the tree that are broken, built and tested beside each other.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time

SKIPPED = 77            # the exit status of a test that could not run
TIMEOUT_MULTIPLE = 5    # of the time that a test takes on the unbroken source, and
TIMEOUT_LEAST = 20      # s more, for a machine that is busy with other things
SETUP = ["-Dbuildtype=plain", "-Ddebug=true", "-Dc_args=-g0 -w"]
BROKEN = ["-Doptimization=1"]
COVERED = ["-Doptimization=0", "-Db_coverage=true"]
LEFT_OUT = {".git", ".ci"}


def run(arguments, **options):
    return subprocess.run([str(a) for a in arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, **options)


def must(arguments, **options):
    result = run(arguments, **options)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))} failed:\n{result.stdout[-4000:]}")
    return result.stdout


def get_files(root):
    """The files of the tree, relative to it; builds and what git does not keep are left out."""
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in folders if f not in LEFT_OUT and not f.startswith("build") and f != "__pycache__"]
        for name in names:
            yield pathlib.Path(folder, name).relative_to(root)


def get_fingerprint(root):
    """One word for all that decides over coverage: the sources, the tests and how they are built."""
    digest = hashlib.sha256()
    for path in sorted(get_files(root)):
        if path.suffix in {".c", ".h", ".py", ".build"} and "mutation" not in path.parts:
            digest.update(f"{path}\n".encode() + (root / path).read_bytes())
    return digest.hexdigest()


def copy_tree(root, target):
    """Makes `target` equal to the tree. Files that are the same keep their times, for ninja."""
    wanted = set(get_files(root))
    for path in wanted:
        source, copy = root / path, target / path
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    for path in set(get_files(target)) - wanted if target.exists() else ():
        (target / path).unlink()


def kill_session(leader):
    """Ends a test and all that it started: each test is a session of its own. GstCheck gives the
    process of every case a process group, so that a group is not all of it."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # pid (name) state ppid pgrp session
            if int(path.read_text().rpartition(")")[2].split()[3]) == leader:
                os.kill(int(path.parent.name), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


class Limit:
    """Ends a test after so many seconds, if any."""

    def __init__(self, leader, seconds):
        self.passed = False
        self.leader = leader
        self.timer = threading.Timer(seconds, self.end) if seconds else None
        if self.timer:
            self.timer.start()

    def end(self):
        self.passed = True
        kill_session(self.leader)

    def cancel(self):
        """Returns whether it was too late."""
        if self.timer:
            self.timer.cancel()
            self.timer.join()
        return self.passed


class Build:
    """A Meson build of the tree at `source`."""

    def __init__(self, source, folder, options):
        self.source, self.folder = pathlib.Path(source), pathlib.Path(folder)
        if not (self.folder / "build.ninja").exists():
            must(["meson", "setup", self.folder, self.source, "-Dexamples=false", *SETUP, *options])
        self.ninja("build.ninja")
        targets = json.loads(must(["meson", "introspect", "--targets", self.folder]))
        self.programs = {t["id"]: t["filename"][0] for t in targets}
        self.plugin = next(name for name in self.programs.values() if name.endswith("/libgsttfrc.so"))
        plugin_id = next(i for i, name in self.programs.items() if name == self.plugin)
        self.registry = self.folder / "registry.bin"
        self.tests = {}
        for test in json.loads(must(["meson", "introspect", "--tests", self.folder])):
            suites = {s.rpartition(":")[2] for s in test["suite"]}
            # What tests the tools, such as the installation, needs the whole build.
            if "default" in suites and "tools" not in suites and plugin_id in test["depends"]:
                self.tests[test["name"]] = test
        commands = json.loads((self.folder / "compile_commands.json").read_text())
        # A program of the tests may compile a source of the plugin once more, for itself.
        self.objects = {os.path.relpath(os.path.join(c["directory"], c["file"]), self.source): c["output"]
                        for c in sorted(commands, key=lambda c: c["output"].startswith("gst/"))}

    def ninja(self, *targets):
        must(["ninja", "-C", self.folder, *targets])

    def try_ninja(self, *targets):
        return run(["ninja", "-C", self.folder, *targets]).returncode == 0

    def get_targets(self, name):
        """What ninja has to make for the test `name`."""
        return [os.path.relpath(self.programs[i], self.folder) for i in self.tests[name]["depends"]]

    def run_test(self, name, timeout=None, fail_fast=False, **environment):
        """Returns (the exit status, None when it took too long; the output). With `fail_fast` the test
        is ended when a case of it has failed: GstCheck prints each case as it ends."""
        test = self.tests[name]
        environment = {**os.environ, **test["env"], "CK_TAP_LOG_FILE_NAME": "-", **environment,
                       "GST_REGISTRY_1_0": str(self.registry)}
        with subprocess.Popen(test["cmd"], env=environment, cwd=test["workdir"] or self.folder, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              start_new_session=True) as process:
            limit = Limit(process.pid, timeout)
            output = []
            for line in process.stdout:
                output.append(line)
                if fail_fast and line.startswith("not ok "):
                    kill_session(process.pid)
                    limit.cancel()
                    return 1, "".join(output)
            status = process.wait()
            return None if limit.cancel() else status, "".join(output)


# --- coverage ---

def read_gcov(folder, notes, root):
    """What the counts in `folder` say of the sources below gst: {file: [lines that ran]}, and
    {file: {"lines": every line with code, "functions": [[first line, last line]]}}."""
    counts = list((folder / "gst").rglob("*.gcda"))
    for path in counts:
        shutil.copy((notes / path.relative_to(folder)).with_suffix(".gcno"), path.parent)
    ran, code = {}, {}
    if not counts:
        return ran, code
    for line in must(["gcov", "--json-format", "--stdout", *counts], cwd=notes).splitlines():
        for file in json.loads(line)["files"] if line.startswith("{") else ():
            name = os.path.relpath(os.path.join(notes, file["file"]), root)
            if name.startswith("gst/") and name.endswith(".c"):
                ran.setdefault(name, set()).update(n["line_number"] for n in file["lines"] if n["count"])
                code[name] = {"lines": [n["line_number"] for n in file["lines"]],
                              "functions": [[f["start_line"], f["end_line"]] for f in file["functions"]]}
    return {name: sorted(lines) for name, lines in ran.items() if lines}, code


def run_covered(build, name, counts):
    """Runs a test with its counts in an empty folder; returns (exit status, output)."""
    shutil.rmtree(counts, ignore_errors=True)
    return build.run_test(name, GCOV_PREFIX=str(counts),
                          GCOV_PREFIX_STRIP=str(len(build.folder.resolve().parts) - 1))


def measure_test(build, name, counts, root, log):
    """Returns ({"seconds", "ran": {file: lines}}, the code that gcov saw) of a test, or None when it
    fails once and then passes: such a test would kill what it does not see."""
    good = (0, SKIPPED)
    started = time.monotonic()
    status, output = run_covered(build, name, counts)
    seconds = time.monotonic() - started
    if status not in good:
        if run_covered(build, name, counts)[0] not in good:
            raise SystemExit(f"the test {name} fails on the unbroken source:\n{output[-4000:]}")
        log(f"unstable, and not used: {name}\n{output[-1000:]}")
        return None
    ran, code = read_gcov(counts, build.folder.resolve(), root)
    log(f"coverage: {name}: {seconds:.1f} s, {sum(map(len, ran.values()))} lines")
    return {"seconds": seconds, "ran": ran}, code


def measure_coverage(root, folder, log, jobs):
    """Builds with gcov, runs each test of the default suite that loads the plugin, `jobs` at once, and returns
    {"tests": {name: {"seconds", "ran": {file: lines}}}, "code": ...}."""
    build = Build(root, folder / "coverage", COVERED)
    build.ninja(*sorted({t for name in build.tests for t in build.get_targets(name)}))
    found = {"tests": {}, "code": {}}
    names = sorted(build.tests)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        measured = pool.map(lambda name: measure_test(build, name, folder / "counts" / name, root, log), names)
        for name, result in zip(names, measured):
            if result is not None:
                found["tests"][name] = result[0]
                found["code"].update(result[1])
    return found


class Coverage:
    """Which tests cover a line. The answer is kept in `folder` until a source or a test changes."""

    def __init__(self, root, folder, log, jobs):
        cache, fingerprint = folder / "coverage.json", get_fingerprint(root)
        found = json.loads(cache.read_text()) if cache.exists() else {}
        if found.get("fingerprint") != fingerprint:
            found = measure_coverage(root, folder, log, jobs) | {"fingerprint": fingerprint}
            cache.write_text(json.dumps(found))
        self.tests, self.code = found["tests"], found["code"]
        self.ran = {name: {file: set(lines) for file, lines in test["ran"].items()}
                    for name, test in self.tests.items()}

    def get_seconds(self, test):
        return self.tests[test]["seconds"]

    def find_line(self, file, line):
        """The line that gcov counts for `line`: itself, or the one where its statement begins. None
        for a line outside of functions."""
        code = self.code.get(file, {"lines": [], "functions": []})
        for first, last in code["functions"]:
            if first <= line <= last:
                return max((n for n in code["lines"] if first <= n <= line), default=first)
        return None

    def get_tests(self, mutation, text):
        """The tests that cover the mutation, the quickest first. A table is covered by every test
        that runs a line of its file, the constant of a #define by those that run a line with it."""
        file, lines = mutation.file, {mutation.line}
        if mutation.before.startswith("#define"):
            name = mutation.before.split()[1]
            lines = {n for n, other in enumerate(text.splitlines(), 1)
                     if name in other and n != mutation.line}
        counted = {self.find_line(file, line) for line in lines}
        names = [name for name, ran in self.ran.items() if file in ran and
                 (None in counted or ran[file] & counted)]
        return sorted(names, key=self.get_seconds)


# --- broken copies ---

class Copy:
    """A copy of the tree with its build: it takes one mutation at a time."""

    def __init__(self, root, folder):
        copy_tree(root, folder / "source")
        self.build = Build(folder / "source", folder / "build", BROKEN)
        self.build.ninja(*sorted({t for name in self.build.tests for t in self.build.get_targets(name)}))
        # The registry of a GStreamer that has yet to read the plugin.
        self.registry = self.build.folder / "registry.without"
        must(["gst-inspect-1.0", "fakesink"], env={**os.environ, "GST_REGISTRY_1_0": str(self.registry),
                                                   "GST_PLUGIN_PATH_1_0": "", "GST_REGISTRY_FORK": "no"})

    def run_tests(self, tests, get_seconds):
        """The first of the tests that fails and how, or None."""
        shutil.copy(self.registry, self.build.registry)
        for name in tests:
            self.build.try_ninja(*self.build.get_targets(name))
            status, output = self.build.run_test(
                name, TIMEOUT_LEAST + TIMEOUT_MULTIPLE * get_seconds(name), fail_fast=True)
            if status is None:
                return f"{name} (no end)"
            if status not in (0, SKIPPED):
                case = re.search(r"^not ok \d+ - \S+?:\w+:(\w+):", output, re.M)
                return f"{name}: {case[1]}" if case else name
        return None

    def try_mutation(self, mutation, tests, get_seconds):
        """Returns (outcome, by which test): "killed", "survived", "not compiled", or "same code" when
        the compiler makes the same of both."""
        path = self.build.source / mutation.file
        target = self.build.objects[mutation.file]
        text, before = path.read_text(), (self.build.folder / target).read_bytes()
        path.write_text(mutation.apply(text))
        try:
            if not self.build.try_ninja(target):
                return "not compiled", None
            if (self.build.folder / target).read_bytes() == before:
                return "same code", None
            killer = self.run_tests(tests, get_seconds)
            return ("killed", killer) if killer else ("survived", None)
        finally:
            path.write_text(text)
            self.build.ninja(target)
