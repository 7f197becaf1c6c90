#!/usr/bin/python3
"""libtfrc links without tfrcadapt and holds nothing of it; each library keeps its own prefix.

  libraries.py NM ALONE BOTH

ALONE is a program with the whole of libtfrc, BOTH one with the whole of libtfrc and of
tfrcadapt. What must not be in ALONE has to be in BOTH, so that a check that finds nothing
anywhere fails.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FUNCTION = re.compile(r"^(?!static)\w[\w *]*\n(\w+) \(", re.M)      # a definition, in GNU style
TABLE = re.compile(r"^static const \w+ (\w+)\[", re.M)
CODEC = re.compile(r'\{"([A-Z0-9-]+)", \d+,')       # how a row of adapt/codec-table.c begins


def sources(folder):
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((TOP / folder).rglob("*.[ch]")))


def symbols(nm, program):
    """The names that the program defines, static ones too."""
    result = subprocess.run([nm, "--defined-only", program], capture_output=True, text=True, check=True)
    return {line.split()[-1] for line in result.stdout.splitlines()}


def names_codec(program, codec):
    """Whether the program holds the codec's name as a string, and not as the end of another word."""
    return re.search(rb"(?<!\w)" + codec.encode() + rb"\0", pathlib.Path(program).read_bytes()) is not None


def main():
    nm, alone, both = sys.argv[1:]
    control, adapt = FUNCTION.findall(sources("src")), FUNCTION.findall(sources("adapt"))
    tables, codecs = TABLE.findall(sources("adapt")), CODEC.findall(sources("adapt"))
    names = {*adapt, *tables}
    failures = [f"tfrcadapt's {name} is in {alone}" for name in sorted(names & symbols(nm, alone))]
    failures += [f"{name} is not in {both}" for name in sorted(names - symbols(nm, both))]
    failures += [f"libtfrc's {name} is not in {alone}" for name in sorted({*control} - symbols(nm, alone))]
    failures += [f"the codec {name} is named in {alone}" for name in codecs if names_codec(alone, name)]
    failures += [f"the codec {name} is not named in {both}" for name in codecs if not names_codec(both, name)]
    failures += [f"{name} has not libtfrc's prefix" for name in control
                 if not name.startswith("tfrc_") or name.startswith("tfrc_adapt_")]
    failures += [f"{name} has not tfrcadapt's prefix" for name in adapt if not name.startswith("tfrc_adapt_")]
    if not (control and adapt and tables and codecs):
        failures.append("the sources were not understood")
    print("\n".join(failures + [f"{len(control)} functions of libtfrc; {len(adapt)} functions, {len(tables)} tables, "
                                f"{len(codecs)} codecs of tfrcadapt"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
