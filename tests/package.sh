#!/bin/sh
# Builds the Debian packages of the committed tree, and says what lintian and the packages' own tests
# find: each is "passed" or "failed", and the exit status is 1 when one failed.
#
#   tests/package.sh              builds, and runs lintian
#   tests/package.sh --install    installs the packages as well, and makes a call with them; as root, on a
#                                 machine that is for that (tests/distro.sh SUITE --package)
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
need build package || exit 1

folder=$(mktemp -d "${TMPDIR:-/tmp}/tfrc-package.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

# try NAME COMMAND...: the output of a command that fails is printed.
try () {
  name=$1; shift
  if "$@" >"$folder/log" 2>&1; then
    echo "$name: passed"
  else
    tail -n 40 "$folder/log"; echo "$name: failed"; failed=1
  fi
}

# The tests that debian/tests/control names, with what is installed.
run_tests () {
  AUTOPKGTEST_TMP=$folder/tmp
  export AUTOPKGTEST_TMP
  for test in call build; do
    mkdir -p "$AUTOPKGTEST_TMP"
    try "debian/tests/$test" "debian/tests/$test"
    rm -rf "$AUTOPKGTEST_TMP"
  done
}

git -c safe.directory='*' clone -q --no-hardlinks "$PWD" "$folder/gst-tfrc" || exit 1
try dpkg-buildpackage env -C "$folder/gst-tfrc" dpkg-buildpackage -us -uc -b
(cd "$folder" && echo ./*.deb)
try lintian sh -c "lintian --allow-root --fail-on error $folder/*.changes"
if [ "${1-}" = --install ] && [ $failed -eq 0 ]; then
  try "apt-get install" env DEBIAN_FRONTEND=noninteractive apt-get install -y \
    "$folder"/gstreamer1.0-tfrc_*.deb "$folder"/gstreamer1.0-tfrc-metrics_*.deb "$folder"/libtfrc1_*.deb "$folder"/libtfrc-dev_*.deb gcc libc6-dev \
    gstreamer1.0-tools
  run_tests
fi
exit $failed
