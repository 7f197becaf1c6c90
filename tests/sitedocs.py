#!/usr/bin/python3
"""Checks what docs/site/build.sh hands to hotdoc, without hotdoc.

  tests/sitedocs.py CC

Each guide of docs/ is on the site. The headers that docs/site/headerdocs.py converts compile, and each
function that a public header declares has its comment in them.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "subprojects/tfrc/include"
APART = {"lab-results.md"}      # tables, which are no guide
FUNCTION = re.compile(r"^(?!typedef|static|#)[a-z][\w \*]*?\b(tfrc\w+) \([^;{}]*\);", re.MULTILINE)


def find_guides_apart():
    listed = {line.strip() for line in (ROOT / "docs/site/sitemap.txt").read_text("utf-8").splitlines()}
    return sorted({path.name for path in (ROOT / "docs").glob("*.md")} - listed - APART)


def find_bad_headers(compiler, folder):
    subprocess.run([sys.executable, ROOT / "docs/site/headerdocs.py", INCLUDE, folder], check=True)
    for header in sorted(pathlib.Path(folder).rglob("*.h")):
        if subprocess.run([*compiler, "-std=c11", "-fsyntax-only", "-I", folder, header], check=False).returncode:
            yield f"{header.relative_to(folder)} does not compile"
        text = header.read_text("utf-8")
        for function in FUNCTION.findall(text):
            if f" * {function}:\n" not in text:
                yield f"{header.relative_to(folder)}: {function} has no comment"


def main(compiler):
    with tempfile.TemporaryDirectory() as folder:
        bad = [f"docs/{name} is not in docs/site/sitemap.txt" for name in find_guides_apart()]
        bad += find_bad_headers(compiler, folder)
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
