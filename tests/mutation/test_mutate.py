#!/usr/bin/python3
"""Tests of the mutation check: the operators on small pieces of C, and the check itself on a plugin
of one file in a scratch directory.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import dataclasses
import pathlib
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import builds  # noqa: E402
import mutate  # noqa: E402
import operators  # noqa: E402


def get_lines(operator, body, head="static int\nf (int a, int b)\n"):
    """The lines that the operator makes of a function's body."""
    text = f"{head}{{\n{body}\n}}\n"
    return [m.after for m in operators.find_mutations("x.c", text) if m.operator == operator]


class Operators(unittest.TestCase):
    def test_condition_is_flipped(self):
        self.assertEqual(get_lines("condition", "  if (a && f (b))"), ["if (!(a && f (b)))"])
        self.assertEqual(get_lines("condition", "  while (a)"), ["while (!(a))"])

    def test_comparison_is_widened_narrowed_or_flipped(self):
        for before, after in (("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "==")):
            self.assertEqual(get_lines("comparison", f"  a = b {before} a;"), [f"a = b {after} a;"])

    def test_logic_is_exchanged(self):
        self.assertEqual(get_lines("logic", "  a = a && b;"), ["a = a || b;"])
        self.assertEqual(get_lines("logic", "  a = a ||\n      b;"), ["a = a &&"])

    def test_negation_is_dropped(self):
        self.assertEqual(get_lines("negation", "  a = !b;"), ["a = b;"])

    def test_arithmetic_is_exchanged(self):
        self.assertEqual(get_lines("arithmetic", "  a = a + b * 2;"), ["a = a - b * 2;", "a = a + b / 2;"])
        self.assertEqual(get_lines("arithmetic", "  a += b;\n  a++;"), ["a -= b;", "a--;"])
        self.assertEqual(get_lines("arithmetic", "  a = b >> 3 & 7;"), ["a = b << 3 & 7;", "a = b >> 3 | 7;"])

    def test_pointers_are_not_arithmetic(self):
        self.assertEqual(get_lines("arithmetic", "  char *x = (char *) y, *z = &w;"), [])

    def test_constant_is_changed(self):
        self.assertEqual(get_lines("constant", "  a = 3 + TRUE;"), ["a = 4 + TRUE;", "a = 3 + FALSE;"])
        self.assertEqual(get_lines("constant", "  a = 0x80 + 3000u;"), ["a = 0x100 + 3000u;", "a = 0x80 + 6000u;"])
        self.assertEqual(get_lines("constant", "  x = 0.5 + 0.0;"), ["x = 1 + 0.0;", "x = 0.5 + 1.0;"])

    def test_sizes_of_memory_are_left_alone(self):
        self.assertEqual(get_lines("constant", "  char text[16];\n  a = g_new0 (Thing, 1);"), [])

    def test_constants_of_defines_and_tables_are_changed(self):
        text = '#define A 20 /* of 7 */\nstatic const int b[] = {\n  1, 2\n};\ntypedef struct\n{\n  int c[9];\n} D;\n'
        self.assertEqual([m.after for m in operators.find_mutations("x.c", text)],
                         ["#define A 40 /* of 7 */", "2, 2", "1, 3"])

    def test_minimum_is_exchanged(self):
        self.assertEqual(get_lines("minimum", "  a = MIN (a, b);"), ["a = MAX (a, b);"])

    def test_return_value_is_changed(self):
        self.assertEqual(get_lines("return", "  return TRUE;"), ["return FALSE;"])
        self.assertEqual(get_lines("return", "  return a +\n      b;"), ["return 0;"])
        self.assertEqual(get_lines("return", "  return 0;"), ["return 1;"])
        self.assertEqual(get_lines("return", "  return NULL;\n  return;"), [])

    def test_assignment_is_dropped(self):
        self.assertEqual(get_lines("assignment", "  a = b;\n  x->y[2] |= 4;"), [";", ";"])
        self.assertEqual(get_lines("assignment", "  int c = b;\n  char *s = t;"), [])

    def test_call_is_skipped(self):
        self.assertEqual(get_lines("call", "  g (a == b,\n      2);"), [";"])
        self.assertEqual(get_lines("call", "  if (a)\n    g (a);\n  else\n    h (b);"), [";", ";"])
        self.assertEqual(get_lines("call", "  switch (a) {\n    case 1:\n      g (a);\n  }"), [";"])

    def test_jump_is_dropped(self):
        self.assertEqual(get_lines("jump", "  for (;;)\n    break;\n  goto out;"), [";", ";"])

    def test_logging_assertions_comments_and_strings_are_left_alone(self):
        for body in ('  GST_DEBUG_OBJECT (x, "a = %d", a + 1);', "  g_return_val_if_fail (a > 1, FALSE);",
                     "  g_assert (a == 1);", "  /* if (a < 1) */", "  // a = 1;", "#if 1 < 2\n#endif",
                     '  GST_DEBUG_CATEGORY_INIT (x, "tfrc", 0, "a");',
                     '  gst_element_class_set_static_metadata (x, "a < 1", "b", "c", "d");'):
            text = f"static int\nf (void)\n{{\n{body}\n}}\n"
            self.assertEqual(list(operators.find_mutations("x.c", text)), [], body)
        self.assertEqual(get_lines("comparison", '  a = b < strlen ("1 < 2");'), ['a = b <= strlen ("1 < 2");'])

    def test_lines_stay_where_they_are(self):
        text = "static int\nf (int a)\n{\n  if (a &&\n      a > 2)\n    g (a,\n        3);\n}\n"
        mutations = list(operators.find_mutations("x.c", text))
        self.assertEqual({m.operator for m in mutations},
                         {"condition", "logic", "comparison", "constant", "call"})
        for mutation in mutations:
            self.assertEqual(mutation.apply(text).count("\n"), text.count("\n"))
            self.assertNotEqual(mutation.apply(text), text)


MESON = """project('small', 'c')
subdir('gst')
test('small', executable('check', 'check.c', link_with: plugin), depends: plugin, suite: 'default')
"""
PLUGIN = "plugin = shared_library('gsttfrc', 'small.c')\n"
SOURCE = """#include <unistd.h>
int small_halve (int n);
int small_unused (int n);

int
small_halve (int n)
{
  int half = n / 2;

  if (half < 0)
    half = 0;
  return half;
}

int
small_unused (int n)
{
  return n;
}
"""
PROGRAM = """int small_halve (int n);
int main (void) { return small_halve (6) == 3 && small_halve (-6) == 0 ? 0 : 1; }
"""
EQUIVALENT = """# A comment
gst/small.c: comparison
  - if (half < 0)
  + if (half <= 0)
    Zero in the place of zero.
"""


class SmallPlugin(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="mutation-")
        cls.addClassCleanup(scratch.cleanup)
        cls.root = pathlib.Path(scratch.name) / "tree"
        (cls.root / "gst").mkdir(parents=True)
        for name, text in (("meson.build", MESON), ("gst/meson.build", PLUGIN),
                           ("gst/small.c", SOURCE), ("check.c", PROGRAM),
                           ("meson_options.txt", "option('examples', type: 'boolean')\n"),
                           ("equivalent.txt", EQUIVALENT)):
            (cls.root / name).write_text(text)
        cls.found = mutate.find_all(cls.root, [])
        cls.entries = mutate.read_equivalent(cls.root / "equivalent.txt")
        cls.check = mutate.Check(cls.root, pathlib.Path(scratch.name) / "builds", {}, 1)

    def get_mutation(self, after):
        return next(m for m in self.found["gst/small.c"] if m.after == after)

    def try_one(self, after):
        return self.check.try_mutation(self.get_mutation(after))

    def test_first_case_that_fails_ends_the_test(self):
        build = self.check.copies.queue[0].build
        said = "echo 'ok 1 - x.c:general:good: Passed'; echo 'not ok 2 - x.c:general:bad: Failed'; sleep 60"
        build.tests["cases"] = {**build.tests["small"], "cmd": ["sh", "-c", said]}
        started = time.monotonic()
        killer = self.check.copies.queue[0].run_tests(["cases"], lambda name: 0)
        self.assertEqual(killer, "cases: bad")
        self.assertLess(time.monotonic() - started, 30)

    def test_unstable_test_is_not_used(self):
        build, good = self.check.copies.queue[0].build, "exec true"
        counts, said = self.root / "counts", []
        once = f"test -e {self.root}/again || {{ touch {self.root}/again; exit 1; }}; {good}"
        build.tests["unstable"] = {**build.tests["small"], "cmd": ["sh", "-c", once]}
        self.assertIsNone(builds.measure_test(build, "unstable", counts, self.root, said.append))
        self.assertTrue(said[0].startswith("unstable, and not used: unstable"))
        build.tests["broken"] = {**build.tests["small"], "cmd": ["false"]}
        with self.assertRaises(SystemExit):
            builds.measure_test(build, "broken", counts, self.root, said.append)

    def test_break_is_killed(self):
        self.assertEqual(self.try_one("int half = n / 3;"), ("killed", "small"))
        self.assertEqual(self.try_one("if (!(half < 0))"), ("killed", "small"))

    def test_equivalent_survives_and_then_is_listed(self):
        self.assertEqual(self.try_one("if (half <= 0)")[0], "survived")
        self.check.entries = self.entries
        self.assertEqual(self.try_one("if (half <= 0)"), ("equivalent", "Zero in the place of zero."))
        self.check.entries = {}

    def test_line_without_test_is_a_survivor(self):
        self.assertEqual(self.try_one("return 0;")[0], "killed")
        unused = [m for m in self.found["gst/small.c"] if m.before == "return n;"]
        self.assertEqual(self.check.try_mutation(unused[0])[0], "not covered")
        self.check.results = [(unused[0], "not covered", None)]
        self.assertEqual(mutate.print_table(self.check.results), 0)

    def test_endless_loop_is_killed(self):
        mutation = self.get_mutation("half = 1;")
        endless = dataclasses.replace(mutation, new="0; for (;;)")
        builds.TIMEOUT_LEAST, least = 0.5, builds.TIMEOUT_LEAST
        self.assertEqual(self.check.try_mutation(endless), ("killed", "small (no end)"))
        builds.TIMEOUT_LEAST = least

    def test_processes_of_a_test_end_with_it(self):
        mutation = self.get_mutation("half = 1;")
        # The child has a process group of its own, holds the output open and never ends.
        child = dataclasses.replace(mutation, new="0; if (fork () == 0) setpgid (0, 0); for (;;) sleep (1)")
        builds.TIMEOUT_LEAST, least = 0.5, builds.TIMEOUT_LEAST
        self.assertEqual(self.check.try_mutation(child), ("killed", "small (no end)"))
        builds.TIMEOUT_LEAST = least

    def test_what_does_not_compile_is_no_mutation(self):
        broken = dataclasses.replace(self.get_mutation("half = 1;"), new="(")
        self.assertEqual(self.check.try_mutation(broken), ("not compiled", None))
        self.assertEqual(self.try_one("int half = n / 3;"), ("killed", "small"))

    def test_same_machine_code_is_no_mutation(self):
        same = dataclasses.replace(self.get_mutation("half = 1;"), new="0 * 2")
        self.assertEqual(self.check.try_mutation(same), ("same code", None))

    def test_draw_is_by_the_seed_and_each_line_once(self):
        first, again, other = (mutate.draw(self.found, seed) for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(len({(m.file, m.line) for m in first}), len(first))

    def test_run_judges_as_many_as_asked_for(self):
        self.check.results = []
        self.check.run(mutate.draw(self.found, 1), 3)
        self.assertEqual(self.check.count_tried(), 3)

    def test_entries_without_a_line_are_reported(self):
        self.assertEqual(mutate.find_unused(self.entries, self.found), [])
        stale = {("gst/small.c", "call", "f ();", ";"): "x"}
        self.assertEqual(mutate.find_unused(stale, self.found), list(stale))
        gone = {("gst/gone.c", "call", "f ();", ";"): "x"}
        self.assertEqual(mutate.find_unused(gone, self.found), list(gone))


if __name__ == "__main__":
    unittest.main()
