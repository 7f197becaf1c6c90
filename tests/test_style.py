#!/usr/bin/python3
"""tests/style.sh: each check finds what it is for, and --fix mends it where it can.

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import pathlib
import subprocess
import tempfile
import unittest

STYLE = pathlib.Path(__file__).with_name("style.sh")
SPDX = "SPDX-License-Identifier: LGPL-2.1-or-later"
COPYRIGHT = "Copyright (C) 2026 The gst-tfrc developers"


class Style(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_style(self, check, name, text, *options):
        """Returns the exit status for a file with that text, and the text afterwards."""
        path = self.folder / name
        path.write_text(text, "utf-8")
        done = subprocess.run([str(STYLE), *options, check, str(path)], stdout=subprocess.PIPE,
                              text=True, check=False)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        return done.returncode, path.read_text("utf-8")

    def assert_found(self, check, name, bad, mended=None):
        self.assertEqual(self.run_style(check, name, bad)[0], 1)
        if mended is not None:
            self.assertEqual(self.run_style(check, name, bad, "--fix"), (0, mended))
            self.assertEqual(self.run_style(check, name, mended)[0], 0)

    def test_indent(self):
        self.assert_found("indent", "a.c", "int f(int a)\n{\n    return a;\n}\n",
                          "int\nf (int a)\n{\n  return a;\n}\n")

    def test_indent_knows_c99(self):
        self.assert_found("indent", "a.c", """void
f (T * t)
{
  *t = (T) {
  .first = a->b,.second = g (t, (U) {1, 2}),.third =
        3};
}
""", """void
f (T * t)
{
  *t = (T) {
      .first = a->b,
      .second = g (t, (U) {1, 2}),
      .third = 3};
}
""")

    def test_indent_breaks_no_line_at_a_member(self):
        status, text = self.run_style("indent", "a.c", """void
f (T * t)
{
  a_function_with_a_long_name (the_structure->the_member, the_structure->another_member.of_it);
}
""", "--fix")
        self.assertEqual((status, text), (0, """void
f (T * t)
{
  a_function_with_a_long_name (the_structure->the_member,
      the_structure->another_member.of_it);
}
"""))

    def test_indent_has_one_form_of_pointers_in_arguments(self):
        self.assert_found("indent", "a.c", """void
f (T *t, const char *text, T *const *all, T **end)
{
}
""", """void
f (T * t, const char *text, T * const *all, T ** end)
{
}
""")

    def test_python(self):
        self.assert_found("python", "a.py", "import sys\nimport os\nprint(sys, os)\n",
                          "import os\nimport sys\n\nprint(sys, os)\n")
        self.assert_found("python", "a.py", "print(undefined)\n")

    def test_shell(self):
        self.assert_found("shell", "a.sh", "#!/bin/sh\nrm $1\n")

    def test_spelling(self):
        wrong = "rec" + "ieve"
        self.assert_found("spelling", "a.md", f"To {wrong} is wrong.\n", "To receive is wrong.\n")

    def test_copyright(self):
        self.assert_found("copyright", "a.c", f"/* gst-tfrc: a\n * {SPDX} */\n",
                          f"/* gst-tfrc: a\n * {COPYRIGHT}\n * {SPDX} */\n")
        self.assert_found("copyright", "a.py", f'"""A.\n\n{SPDX}\n"""\n',
                          f'"""A.\n\n{COPYRIGHT}\n{SPDX}\n"""\n')
        self.assert_found("copyright", "a.sh", f"#!/bin/sh\n# {SPDX}\n",
                          f"#!/bin/sh\n# {COPYRIGHT}\n# {SPDX}\n")

    def test_a_file_that_a_check_is_not_for_passes(self):
        self.assertEqual(self.run_style("python", "a.txt", "import this\n")[0], 0)


if __name__ == "__main__":
    unittest.main()
