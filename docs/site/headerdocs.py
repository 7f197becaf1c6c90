#!/usr/bin/python3
"""Copies C headers for hotdoc, which reads gtk-doc's comments only, while the headers of the libraries
have plain ones: the comment before a function, a type or a macro, the one behind a member of a
structure or a value of an enumeration, and the first one of the file become comments of gtk-doc.

  docs/site/headerdocs.py INCLUDE_DIRECTORY FOLDER

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import re
import sys

COMMENT = r"/\*(?P<comment>(?:[^*]|\*(?!/))*)\*/"
ITEM = re.compile(
    rf"(?:^{COMMENT}[ \t]*\n)?"
    r"(?P<code>^(?:typedef )?(?P<kind>struct|enum)(?: (?P<tag>\w+))?\s*\{(?P<body>.*?)^\}(?: (?P<type>\w+))?;"
    r"|^(?!typedef|#|extern|\}|/)[A-Za-z][\w \*]*?(?P<function>\w+) \((?:[^;{}]*)\);"
    r"|^typedef [^;{]*?\b(?P<alias>\w+);)", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^[ \t]+(?P<declared>[A-Za-z][^;/{}\n]*?)\s*[;,]?[ \t]*/\*(?P<comment>(?:[^*]|\*(?!/))*)\*/",
                    re.MULTILINE)


def unwrap(comment):
    """The paragraphs of a comment, without the stars at the lines' beginnings."""
    return [line.strip().removeprefix("*").strip() for line in comment.strip().split("\n")]


def get_names(declared):
    """The names that are declared: of "double R, t_RTO" both, of "TFRC_X = 1 << 0" the value."""
    first, *others = declared.split(" = ")[0].split(",")
    return [re.sub(r"\[.*\]|[*\s:].*$", "", name.strip().split(" ")[-1].lstrip("*")) for name in (first, *others)]


def make_comment(name, lines, members=()):
    head = [f"{name}:"] + [f"@{member}: {' '.join(text)}" for member, text in members]
    return "\n".join(["/**"] + [f" * {line}".rstrip() for line in head + [""] + lines] + [" */", ""])


def document(match):
    name = match["type"] or match["tag"] or match["function"] or match["alias"]
    members = [(member, unwrap(found["comment"])) for found in MEMBER.finditer(match["body"] or "")
               for member in get_names(found["declared"]) if member]
    if not (match["comment"] or members):
        return match[0]
    return make_comment(name, unwrap(match["comment"] or ""), members) + match["code"]


def convert(text, path):
    head, rest = text.split("*/", 1)
    prose = [line for line in unwrap(head.removeprefix("/*")) if not line.startswith(("Copyright", "SPDX"))]
    title = " ".join(prose[:prose.index("")] if "" in prose else prose)
    section = f"/**\n * SECTION:{path.name}\n * @title: {path}\n * @short_description: {title}\n *\n"
    return section + "\n".join(f" * {line}".rstrip() for line in prose) + "\n */" + ITEM.sub(document, rest)


def main(include, folder):
    for header in sorted(pathlib.Path(include).rglob("*.h")):
        path = header.relative_to(include)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(convert(header.read_text("utf-8"), path), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]))
