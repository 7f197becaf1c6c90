#!/bin/sh
# What of the tree compiles for Windows, with Debian's mingw-w64 (gcc-mingw-w64-x86-64): libtfrc and libtfrcadapt as
# DLLs, and the objects of the plugin's rooms. The last line counts; the exit status is 1 when one fails, and 77
# when the compiler is missing.
#
# Debian has no GLib for Windows, so that the objects are compiled against the headers of this machine, with a
# glibconfig.h that says what Windows says (long has 32 bits, G_OS_WIN32). That shows which POSIX headers, functions
# and types the sources need, and no more: nothing is linked or run. GnuTLS's headers are of this machine's system, so
# that DTLS is left out, as -Ddtls=disabled does. transport/udpreceive.c and udpsend.c are left out too: they hold the
# recvmsg() and sendmsg() of POSIX, and another system needs two files in their place.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
cc=x86_64-w64-mingw32-gcc
command -v $cc >/dev/null || { echo "SKIP: $cc is missing: apt-get install gcc-mingw-w64-x86-64"; exit 77; }
folder=$(mktemp -d "${TMPDIR:-/tmp}/tfrc-mingw.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

# --- the libraries

cat >"$folder/cross.ini" <<INI
[binaries]
c = '$cc'
ar = 'x86_64-w64-mingw32-ar'
strip = 'x86_64-w64-mingw32-strip'
[host_machine]
system = 'windows'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
INI
if meson setup --cross-file "$folder/cross.ini" -Dtests=false --werror "$folder/build" subprojects/tfrc \
    >"$folder/log" 2>&1 && meson compile -C "$folder/build" >>"$folder/log" 2>&1; then
  for library in "$folder"/build/*/*.dll; do echo "${library##*/}: passed"; passed=$((passed + 1)); done
else
  tail -n 20 "$folder/log"; echo "libtfrc: failed"; failed=1
fi

# --- the rooms of the plugin

glib=$(pkg-config --variable=prefix glib-2.0)/include/glib-2.0
config=$(pkg-config --variable=libdir glib-2.0)/glib-2.0/include/glibconfig.h
include=$folder/include
mkdir "$include"
for name in nettle opus srtp2 gmp.h; do
  header=$(find /usr/include -maxdepth 2 -name "$name" | head -n 1)
  ln -s "$header" "$include/$name"
done
sed -E -e 's/^(typedef signed long)( gint64;| gssize;| gintptr;)/\1 long\2/' \
  -e 's/^(typedef unsigned long)( guint64;| gsize;| guintptr;)/\1 long\2/' \
  -e 's/"l"$/"ll"/; s/"li"$/"lli"/; s/"lu"$/"llu"/; s/SIZEOF_LONG +8/SIZEOF_LONG 4/' \
  -e 's/\(glong\) \(([pi])\)/(gintptr) (\1)/; s/\(gulong\) \(([pu])\)/(guintptr) (\1)/' \
  -e 's/(glong\) |gulong\) )(GU?INT)64/\1\232/' \
  -e 's/#define G_OS_UNIX/#define G_OS_WIN32\n#define G_PLATFORM_WIN32/; s/IMPL_POSIX/IMPL_WIN32/' \
  -e 's/AF_INET6 10/AF_INET6 23/; s/typedef int GPid/typedef void *GPid/; s/G_PID_FORMAT "i"/G_PID_FORMAT "p"/' \
  "$config" >"$include/glibconfig.h"
for source in gst/tfrc/*/*.c; do
  case $source in
    */udpreceive.c|*/udpsend.c|*/dtlscertificate.c|*/dtlscontext.c|*/dtlsprofile.c|*/dtlssession.c) continue ;;
  esac
  if $cc -std=gnu11 -Wall -Werror -c -o "$folder/object.o" -DPACKAGE='"gst-tfrc"' -DVERSION='"0"' \
      -DTFRC_ORIGIN='""' -DG_LOG_DOMAIN='"tfrc"' -I"$include" -I"$include/opus" -I"$glib" \
      -I"$(pkg-config --variable=includedir gstreamer-1.0)/gstreamer-1.0" -Isubprojects/tfrc/include -Igst/tfrc \
      -Igst/tfrc/include "$source" >"$folder/log" 2>&1; then
    passed=$((passed + 1))
  else
    grep -m 5 -E 'error|warning' "$folder/log"; echo "$source: failed"; failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
