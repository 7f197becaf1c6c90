"""The operators of the mutation check: which one-line breaks a C source file offers.

A C file in GStreamer's style is read as text, without a compiler: blanks around binary operators,
the brace of a function in the first column. Comments, strings, logging statements, debug
categories, assertions, `g_return_if_fail ()` and its kin, preprocessor lines other than constants,
type definitions and the text of metadata are left alone. Header files are not read.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import dataclasses
import re

NAMES = ("condition", "comparison", "logic", "negation", "arithmetic", "constant", "minimum",
         "return", "assignment", "call", "jump")

# Macros and functions that are not mutated, with all that is within their parentheses. Mutexes and
# conditions of GLib are futexes on Linux: of zeros they are initialised, and clearing frees nothing.
EXEMPT = re.compile(r"""\b(
    GST_(CAT_)?(LEVEL_LOG|LOG|DEBUG|INFO|WARNING|ERROR|FIXME|TRACE|MEMDUMP)(_OBJECT|_ID)?
  | GST_DEBUG_CATEGORY\w* | GST_TFRC_DEFINE_CATEGORY | G_DEFINE_\w+ | GST_ELEMENT_REGISTER_DEFINE\w* | GST_PLUGIN_DEFINE
  | g_return_(val_)?if_(fail|reached) | g_assert\w* | g_warn_if_\w+ | G_STATIC_ASSERT
  | g_(debug|info|message|warning|critical) | g_print\w*
  | gst_element_class_set_(static_)?metadata | gst_type_mark_as_plugin_api
  | g_(mutex|cond)_(init|clear)
)\s*\(""", re.X)

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|",
              "|": "&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=", "&=": "|=",
              "++": "--", "--": "++"}
INVERSE = {"TRUE": "FALSE", "FALSE": "TRUE", "MIN": "MAX", "MAX": "MIN", "G_MININT64": "0",
           "GST_FLOW_OK": "GST_FLOW_ERROR"}
SMALL = 16      # constants up to here change by one, those above to their double

CONTROL = re.compile(r"(if|while|for|switch)\s*\(")
LABEL = re.compile(r"(case\b[^:;]*|default|[A-Za-z_]\w*)\s*:(?!:)")
DECLARATION = re.compile(r"((const|static|struct|unsigned|volatile)\s+)*[A-Za-z_]\w*(\s+|\s*\*+\s*)"
                         r"(const\s+)?[A-Za-z_]\w*\s*([=,;\[(]|$)")
NUMBER = re.compile(r"(?<![\w.\"])(0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?)([uUlLfF]*)(?![\w.\"])")


@dataclasses.dataclass(frozen=True)
class Mutation:
    """One break: `old` stands at `offset` of `file` and `new` takes its place."""
    file: str
    line: int
    operator: str
    offset: int
    old: str
    new: str
    before: str     # the lines that it touches, folded to one
    after: str

    def apply(self, text):
        """The text of the file with the break. No line moves."""
        end = self.offset + len(self.old)
        if text[self.offset:end] != self.old:
            raise ValueError(f"{self.file}:{self.line}: the file has changed")
        lines = self.old.count("\n") - self.new.count("\n")
        return text[:self.offset] + self.new + "\n" * lines + text[end:]

    def describe(self):
        return f"{self.file}:{self.line}: {self.operator}\n  - {self.before}\n  + {self.after}"


def blank(text):
    """As many blanks as the text has characters; its lines end where they did."""
    return re.sub(r"[^\n]", " ", text)


def find_close(text, opening):
    """The offset behind the parenthesis or brace that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] in "({[") - (text[i] in ")}]")
        if depth == 0:
            return i + 1
    return len(text)


def mask(text):
    """The text with blanks for all that is not mutated, apart from the constants of #define."""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
                  lambda m: blank(m[0]) if m[0][0] == "/" else '"' + " " * (len(m[0]) - 2) + '"',
                  text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: blank(m[0]), text, flags=re.M)
    while match := EXEMPT.search(text):
        end = find_close(text, match.end() - 1)
        text = text[:match.start()] + blank(text[match.start():end]) + text[end:]
    return text


def find_blocks(masked):
    """Yields (start, end, whether it is a function) of each block in braces that is a function or
    an initialiser; type definitions are left out."""
    end = 0
    for match in re.finditer(r"\{", masked):
        if match.start() < end:
            continue
        end = find_close(masked, match.start())
        before = masked[:match.start()].rstrip()
        if before.endswith((")", "=")):
            yield match.start(), end, before.endswith(")")


def skip_headers(masked, start, end):
    """Where the statement itself begins, behind `if (...)`, `else`, labels and their like."""
    while True:
        start += len(masked[start:end]) - len(masked[start:end].lstrip())
        rest = masked[start:end]
        if match := CONTROL.match(rest):
            start = find_close(masked, start + match.end() - 1)
        elif match := re.match(r"(else|do)\b", rest) or LABEL.match(rest):
            start += match.end()
        else:
            return start


def find_statements(masked, start, end):
    """Yields (start, end) of the statements of a function, without the semicolon."""
    begin, depth, i = start + 1, 0, start + 1
    while i < end:
        depth += (masked[i] in "([") - (masked[i] in ")]")
        if masked[i] in "{}" or (masked[i] == ";" and depth == 0):
            if masked[i] == ";":
                first = skip_headers(masked, begin, i)
                if first < i:
                    yield first, i
            begin = i + 1
        i += 1


def change_number(match):
    value, suffix = match[1], match[2]
    if "." in value or "e" in value and not value.startswith("0x"):
        return (f"{float(value) * 2:g}" if float(value) else "1.0") + suffix
    number = int(value, 0)
    changed = number + 1 if number <= SMALL else 2 * number
    return (f"0x{changed:x}" if value.startswith("0x") else str(changed)) + suffix


def change_return(expression):
    """What is returned in the place of the expression, or None."""
    if expression in INVERSE:
        return INVERSE[expression]
    if not expression or expression == "NULL":
        return None
    return "1" if expression == "0" else "0"


def find_in_statements(masked, start, end):
    for first, last in find_statements(masked, start, end):
        statement = masked[first:last]
        if match := re.match(r"return\b\s*", statement):
            changed = change_return(statement[match.end():].strip())
            if changed is not None:
                yield "return", first + match.end(), last, changed
        elif re.match(r"(break|continue|goto\s+\w+)\s*$", statement):
            yield "jump", first, last, ""
        elif DECLARATION.match(statement):
            continue
        elif re.search(r"(?<![=<>!])=(?!=)|\+\+|--", re.sub(r"\([^()]*\)", "", statement)):
            yield "assignment", first, last, ""
        elif re.match(r"[A-Za-z_][\w.>-]*\s*\(", statement):
            yield "call", first, last, ""


def find_in_function(masked, start, end):
    """Yields (operator, start, end, replacement) of a function's body."""
    body = masked[start:end]

    def matches(pattern):
        for match in re.finditer(pattern, body):
            yield start + match.start(1), start + match.end(1), match[1]

    for match in re.finditer(r"\b(?:if|while)\s*\(", body):
        opening = start + match.end() - 1
        close = find_close(masked, opening)
        yield "condition", opening, close, ""
    for first, last, found in matches(r"(?<= )(<=|>=|==|!=|<|>)(?=\s)"):
        yield "comparison", first, last, COMPARISONS[found]
    for first, last, found in matches(r"(?<=\s)(&&|\|\|)(?=\s)"):
        yield "logic", first, last, LOGIC[found]
    for first, last, _ in matches(r"(?<![\w)\]])(!)(?=[\w(])"):
        yield "negation", first, last, ""
    for first, last, found in matches(r"(?<=[\w)\]] )([-+*/%&|]|<<|>>|[-+*/|&]=)(?=\s)"):
        yield "arithmetic", first, last, ARITHMETIC[found]
    for first, last, found in matches(r"(?<=[\w\]])(\+\+|--)"):
        yield "arithmetic", first, last, ARITHMETIC[found]
    for first, last, found in matches(r"\b(MIN|MAX)(?= \()"):
        yield "minimum", first, last, INVERSE[found]
    yield from find_in_statements(masked, start, end)


def find_constants(masked, start, end):
    for match in NUMBER.finditer(masked, start, end):
        # More memory than is needed changes no behaviour, nor does by what a flag differs from 0.
        before = masked[masked.rfind("\n", 0, match.start()) + 1:match.start()]
        if not re.search(r"^\s+\w+ \w+\[$|\bg_new0? \(\w+, $|\bg_once_init_leave \(&once, $", before):
            yield "constant", match.start(), match.end(), change_number(match)
    for match in re.compile(r"\b(TRUE|FALSE)\b").finditer(masked, start, end):
        if not re.search(r"\breturn\s+$", masked[:match.start()]):
            yield "constant", match.start(), match.end(), INVERSE[match[0]]


def find_defines(text):
    for match in re.finditer(r"^#define \w+[ \t]+([^\n/]*)", text, re.M):
        yield from find_constants(text, match.start(1), match.end(1))


def fold(text):
    return " ".join(text.split())


def find_mutations(file, text):
    """Every mutation that the text of `file` offers, in the order of the text."""
    masked = mask(text)
    sites = list(find_defines(text))
    for start, end, is_function in find_blocks(masked):
        sites += find_constants(masked, start, end)
        if is_function:
            sites += find_in_function(masked, start, end)
    for operator, start, end, replacement in sorted(set(sites), key=lambda site: (site[1], site[0], site[2])):
        old = text[start:end]
        # The condition with its strings, which the masked text lacks.
        new = f"(!{old})" if operator == "condition" else replacement
        first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        last = len(text) if last < 0 else last
        yield Mutation(file, text.count("\n", 0, start) + 1, operator, start, old, new,
                       fold(text[first:last]), fold(text[first:start] + new + text[end:last]))
