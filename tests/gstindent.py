#!/usr/bin/python3
"""Formats C as GStreamer's gst-indent does, and prints what differs: GNU indent, run twice.

  tests/gstindent.py [--fix] FILE...

GNU indent is older than C99: it takes the point of a designated initialiser for that of a member,
and the brace of a compound literal for that of a block. Both are shown to it as what it knows, an
assignment and a call, and are turned back afterwards. It also breaks lines between a structure and
its member, which are shown to it as one name. So are a type, its asterisk and the name of a function's
argument: of these, GNU indent 2.2.12 writes "(T * t)" and 2.2.13 "(T *t)".

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import difflib
import pathlib
import re
import subprocess
import sys

OPTIONS = ["--braces-on-if-line", "--case-brace-indentation0", "--case-indentation2",
           "--braces-after-struct-decl-line", "--line-length80", "--no-tabs", "--cuddle-else",
           "--dont-line-up-parentheses", "--continuation-indentation4", "--honour-newlines",
           "--tab-size8", "--indent-level2", "--leave-preprocessor-space"]
# A point becomes the first letter of a name, a brace the name of a function.
POINT = "$"
LITERAL = "$$"
# Between two names, where a line is not to be broken.
HIDDEN_MEMBER = {"->": "$$", ".": "$"}
# Between a type and the name of an argument that points to it: how 2.2.12 writes it, in the same width.
HIDDEN_POINTER = {" * ": "$P$", " ** ": "$PP$", " *** ": "$PPP$", " * const *": "$QQQQQQQQ$"}
# A comment at the end of a line keeps the next one from being joined to it.
KEPT = "/*$ */"

SKIPPED = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*'
OPENED = re.compile(SKIPPED + r"|(?:[=(,?:|&]\s*|\breturn\s+)"
                    r"\((?:const )?(?:struct )?[A-Za-z_]\w*(?:\[\w*\])?\)\s*\{", re.S)
DESIGNATED = re.compile(SKIPPED + r"|(?<=[{,(/])(\s*)\.(?=[A-Za-z_][\w.\[\]]* =(?!=))", re.S)
SPLIT = re.compile(SKIPPED + r"|[{}()]|(?<=[{,(/])\s*(?P<name>\.[A-Za-z_][\w.\[\]]*) =(?!=)\s*", re.S)
MEMBER = re.compile(SKIPPED + r"|(?<=\w)(?P<operator>->|\.)\s*(?=[A-Za-z_])", re.S)
DEFINED = re.compile(r"^[A-Za-z_]\w* \([^;{}]*\)\n(?=\{)", re.M)
ARGUMENT = re.compile(r"(?<![\w$])(?P<type>(?:(?:struct|union|enum) )?\w+)\s*"
                      r"(?P<stars>\*+(?:\s*const\s*\*)?)\s*(?=[A-Za-z_])(?!const\b)")
# Both versions write "(char *s)".
BUILT_IN = re.compile(r"(?:char|void|int|unsigned|long|short|float|double|const|struct .*|union .*|enum .*)$")
CALLED = re.compile(SKIPPED + r"|" + re.escape(LITERAL) + r"\s*\(", re.S)
POINTED = re.compile(SKIPPED + r"|" + re.escape(POINT) + r"(?=[A-Za-z_])", re.S)


def find_end(text, start, pair):
    """Where the bracket that opens before `start` closes."""
    depth = 1
    for match in re.compile(SKIPPED + "|[" + re.escape(pair) + "]", re.S).finditer(text, start):
        depth += {pair[0]: 1, pair[1]: -1}.get(match.group(), 0)
        if depth == 0:
            return match.start()
    raise ValueError(f"{pair[0]} without {pair[1]}")


def replace_literals(text, opened, pair, by, word):
    """Replaces the brackets `pair` of what `opened` finds by those of `by`, with `word` in front."""
    start = 0
    while match := opened.search(text, start):
        start = match.end()
        if match.group()[-1] != pair[0] or match.group()[0] in "\"'/":
            continue
        end = find_end(text, start, pair)
        head = re.sub(r"\s*" + re.escape(pair[0]) + "$", "", match.group()).removesuffix(LITERAL)
        head = head + " " + word + by[0] if head else word + by[0]
        inside = place_end(text[:match.start()], text[start:end], word)
        text = text[:match.start()] + head + inside + by[1] + text[end + 1:]
        start = match.start() + len(head)
    return text


def place_end(before, inside, word):
    """A brace that ends a literal on a line of its own is below the line that the literal begins on."""
    if not re.search(r"\n *$", inside):
        return inside
    if word:
        return re.sub(r"\n( *)$", rf" {KEPT}\n\1", inside)
    line = before[before.rfind("\n") + 1:]
    return re.sub(r"\n *$", "\n" + " " * (len(line) - len(line.lstrip())), inside)


def hide(text):
    text = DEFINED.sub(lambda match: ARGUMENT.sub(hide_pointer, match.group()), text)
    text = replace_literals(split_designated(text), OPENED, "{}", "()", LITERAL + " ")
    text = DESIGNATED.sub(hide_point, text)
    return MEMBER.sub(lambda match: HIDDEN_MEMBER.get(match.group("operator"), match.group()), text)


def split_designated(text):
    """Designated initialisers in braces that are longer than a line have a line each."""
    out, last, groups = [], 0, []
    for match in SPLIT.finditer(text):
        token = match.group()
        if token in ("{", "("):
            end = find_end(text, match.end(), "{}") if token == "{" else match.end()
            groups.append(token == "{" and "\n" in text[match.end():end])
        elif token in ("}", ")"):
            if groups:
                groups.pop()
        elif match.group("name") and groups and groups[-1]:
            out += [text[last:match.start()], "\n  ", match.group("name"), " = "]
            last = match.end()
    return "".join(out) + text[last:]


def hide_pointer(match):
    stars = " * const *" if "const" in match.group("stars") else f" {match.group('stars')} "
    if BUILT_IN.match(match.group("type")) or stars not in HIDDEN_POINTER:
        return match.group()
    return match.group("type") + HIDDEN_POINTER[stars]


def hide_point(match):
    space = match.group(1)
    if space is None:
        return match.group()
    return (f" {KEPT}" if "\n" in space else "") + space + POINT


def show(text):
    text = re.sub(r" *" + re.escape(KEPT), "", text)
    for stars, hidden in HIDDEN_POINTER.items():
        text = text.replace(hidden, stars)
    for operator, hidden in HIDDEN_MEMBER.items():
        text = re.sub(r"(?<=\w)" + re.escape(hidden) + r"(?=[A-Za-z_])", operator, text)
    text = POINTED.sub(lambda match: "." if match.group() == POINT else match.group(), text)
    return replace_literals(text, CALLED, "()", "{}", "")


def run_indent(text):
    done = subprocess.run(["indent", *OPTIONS], input=text, stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout


def indent(text):
    if "$" in text:
        raise ValueError("the file has a $, which stands for something else here")
    # The second run moves what the first one has wrapped, the third shows that nothing moves.
    for _ in range(3):
        old, text = text, show(run_indent(hide(text)))
        if text == old:
            break
    return text


def main():
    fix = "--fix" in sys.argv
    wrong = False
    for name in sys.argv[2 if fix else 1:]:
        path = pathlib.Path(name)
        old = path.read_text("utf-8")
        try:
            new = indent(old)
        except (ValueError, subprocess.CalledProcessError) as error:
            print(f"{name}: {error}")
            wrong = True
            continue
        if new == old:
            continue
        if fix:
            path.write_text(new, "utf-8")
        else:
            wrong = True
            sys.stdout.writelines(difflib.unified_diff(
                old.splitlines(True), new.splitlines(True), name, name + ", by gst-indent"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
