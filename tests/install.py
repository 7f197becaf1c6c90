#!/usr/bin/python3
"""What `meson install` installs is enough to build on: libtfrc and tfrcadapt without GStreamer, in C
and in C++, and the header of the rate event.

  install.py BUILD
  install.py BUILD --write      writes debian/libtfrc1.symbols anew; functions that it has keep their version

Copyright (C) 2026 The gst-tfrc developers
SPDX-License-Identifier: LGPL-2.1-or-later
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ENVIRONMENT = dict(os.environ)  # in which nothing of the installation is found
TOP = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ("arrival-feedback", "circuit-breaker", "coupling", "ecn", "equation", "receiver", "sender",
           "sender-side-receiver", "tfrc", "wire")
ADAPT_HEADERS = ("adapt", "frame-arrivals", "loss-share", "operating-point", "playout-delay", "quality")

ALL_HEADERS = "".join(f"#include <tfrc/{name}.h>\n" for name in HEADERS) + "".join(
    f"#include <tfrcadapt/{name}.h>\n" for name in ADAPT_HEADERS) + """
int
main ()
{
  TfrcConfig config;
  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  TfrcAdaptConfig adapt;
  tfrc_adapt_config_init (&adapt);
  return tfrc_sender_size (&config) > 0 && tfrc_adapt_size (4) > 0 ? 0 : 1;
}
"""
EVENT = """#include <gst/tfrc/rate-event.h>
int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  return gst_tfrc_rate_event_get_fields (gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new (GST_TFRC_RATE_NAME, GST_TFRC_RATE_FIELD_BITRATE, G_TYPE_UINT, 1, NULL))) ? 0 : 1;
}
"""

# What the Debian package says that programs may call, and since when.
SYMBOLS = TOP / "debian/libtfrc1.symbols"
LIBRARIES = {"libtfrc.so.1": "tfrc", "libtfrcadapt.so.1": "tfrcadapt"}

STATIC = """#include <gst/gst.h>
GST_PLUGIN_STATIC_DECLARE (tfrc);
int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  GST_PLUGIN_STATIC_REGISTER (tfrc);
  return gst_element_factory_find ("tfrcbin") == NULL;
}
"""


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=400, **options).stdout


def install(build):
    """Installs the build below a folder of its own, and points pkg-config and the loader there."""
    root = tempfile.TemporaryDirectory()
    run("meson", "install", "-C", build, "--no-rebuild", env=dict(os.environ, DESTDIR=root.name))
    found = {path.name: path for path in pathlib.Path(root.name).rglob("*") if not path.is_dir()}
    os.environ.update(PKG_CONFIG_SYSROOT_DIR=root.name, LD_LIBRARY_PATH=str(found["libtfrc.so.1"].parent),
                      PKG_CONFIG_PATH=f"{found['libtfrc.pc'].parent}")
    return root, found


def get_exported(library):
    return {line.split()[-1] for line in run("nm", "-D", "--defined-only", library).splitlines()}


def read_symbols(library):
    """The version of each function."""
    part = re.search(rf"^{re.escape(library)} .*\n\*.*\n((?: .*\n)*)", SYMBOLS.read_text("utf-8"), re.M)[1]
    return dict(re.findall(r"^ (\w+)@Base (\S+)$", part, re.M))


def write_symbols(build):
    version = re.search(r"\bversion: '([\d.]+)'", (TOP / "meson.build").read_text("utf-8"))[1]
    text = ""
    for library in LIBRARIES:
        known = read_symbols(library)
        text += f"{library} libtfrc1 #MINVER#\n* Build-Depends-Package: libtfrc-dev\n" + "".join(
            f" {name}@Base {known.get(name, version)}\n"
            for name in sorted(get_exported(next(pathlib.Path(build, "subprojects").rglob(library)))))
    SYMBOLS.write_text(text, "utf-8")


def flags(package, *options):
    """A package of the system has its files in no other root than the system's."""
    environment = dict(os.environ)
    if package.startswith("gstreamer-1"):
        del environment["PKG_CONFIG_SYSROOT_DIR"]
    return run("pkg-config", *options, package, env=environment).split()


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root, cls.found = install(sys.argv[1])
        cls.addClassCleanup(cls.root.cleanup)

    def build(self, name, text, *arguments, compiler=("cc",)):
        source, program = (pathlib.Path(self.root.name) / file for file in (name, name + ".out"))
        source.write_text(text, encoding="utf-8")
        run(*compiler, "-Wall", "-Wextra", "-Werror", "-o", program, source, *arguments)
        return program

    def test_installed_files_are_those_of_a_library_and_a_plugin(self):
        names = {str(path.relative_to(self.root.name)) for path in self.found.values()}
        for pattern in (r"libtfrc\.so", r"libtfrc\.so\.1", r"libtfrc\.a", r"libtfrcadapt\.so", r"libtfrcadapt\.so\.1",
                        r"libtfrcadapt\.a", r"pkgconfig/libtfrc\.pc", r"pkgconfig/libtfrcadapt\.pc",
                        r"pkgconfig/gstreamer-tfrc-1\.0\.pc", r"gstreamer-1\.0/libgsttfrc\.so",
                        r"include/gstreamer-1\.0/gst/tfrc/rate-event\.h"):
            self.assertTrue([name for name in names if re.search("/" + pattern + "$", name)], pattern)
        self.assertEqual({name.split("/include/tfrc/")[1] for name in names if "/include/tfrc/" in name},
                         {name + ".h" for name in HEADERS})

    def test_shared_libraries_export_what_their_headers_declare(self):
        for library, folder in LIBRARIES.items():
            text = "".join(path.read_text("utf-8") for path in (TOP / "subprojects/tfrc/include" / folder).iterdir())
            declared = set(re.findall(r"^[A-Za-z].*?\b(tfrc_\w+) \(", re.sub(r"/\*.*?\*/", "", text, flags=re.S), re.M))
            exported = get_exported(self.found[library])
            self.assertEqual(exported, declared)
            self.assertEqual(set(read_symbols(library)), exported, "install.py --write mends debian/libtfrc1.symbols")

    def test_plugin_keeps_its_copy_of_the_libraries_to_itself(self):
        exported = run("nm", "-D", "--defined-only", self.found["libgsttfrc.so"])
        self.assertIn(" gst_plugin_tfrc_get_desc", exported)
        self.assertNotIn(" tfrc_", exported)

    def test_libsoup_comes_with_the_tracer_alone(self):
        if "libgsttfrcmetrics.so" not in self.found:
            self.skipTest("built without libsoup")
        self.assertIn("libsoup-3.0", run("readelf", "-d", self.found["libgsttfrcmetrics.so"]))
        self.assertNotIn("libsoup", run("ldd", self.found["libgsttfrc.so"]))

    def test_c_and_cxx_programs_link_the_libraries_without_glib(self):
        arguments = flags("libtfrcadapt", "--cflags", "--libs")
        for name, compiler in (("all.c", ("cc", "-std=c11", "-pedantic", "-Wno-strict-prototypes")),
                               ("all.cc", ("c++", "-std=c++17", "-pedantic"))):
            program = self.build(name, ALL_HEADERS, *arguments, "-ltfrc", compiler=compiler)
            run(program)
            self.assertNotIn("glib", run("ldd", program))

    def test_static_library_needs_nothing_but_libm(self):
        run(self.build("static.c", ALL_HEADERS, *flags("libtfrc", "--cflags"), self.found["libtfrcadapt.a"],
                       self.found["libtfrc.a"], "-lm"))

    def test_author_of_an_encoder_needs_the_header_of_the_event_alone(self):
        run(self.build("event.c", EVENT, "-I" + str(self.found["rate-event.h"].parents[2]),
                       *flags("gstreamer-1.0", "--cflags", "--libs")))
        self.assertIn("Requires: gstreamer-1.0", self.found["gstreamer-tfrc-1.0.pc"].read_text("utf-8"))

    def test_an_application_links_the_static_plugin_in(self):
        folder = pathlib.Path(self.root.name)
        run("meson", "setup", "-Dstatic-plugin=true", "-Dtests=false", "-Dexamples=false", "-Dbuildtype=plain",
            "--prefix", str(folder / "static"), str(folder / "build-static"), TOP, env=ENVIRONMENT)
        run("meson", "install", "-C", str(folder / "build-static"), env=ENVIRONMENT)
        module = next((folder / "static").rglob("gsttfrc.pc")).parent
        libraries = next((folder / "static").rglob("libtfrc.pc")).parent
        environment = dict(ENVIRONMENT, PKG_CONFIG_PATH=f"{module}:{libraries}")
        arguments = run("pkg-config", "--cflags", "--libs", "gsttfrc", env=environment).split()
        program = self.build("static-plugin.c", STATIC, *arguments)
        run(program, env=dict(ENVIRONMENT, LD_LIBRARY_PATH=str(libraries.parent), GST_PLUGIN_PATH="",
                              GST_REGISTRY=str(folder / "registry.bin")))

    def test_build_without_tests_has_none(self):
        folder = str(pathlib.Path(self.root.name) / "build")
        run("meson", "setup", "-Dtests=false", folder, TOP)
        self.assertEqual(json.loads(run("meson", "introspect", "--tests", folder)), [])


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_symbols(sys.argv[1])
        sys.exit()
    unittest.main(argv=sys.argv[:1])
