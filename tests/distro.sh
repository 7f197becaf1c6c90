#!/bin/sh
# Runs the two commands of the README in a bare Debian that debootstrap makes, on the
# committed state of this tree. Needs root; what is mounted and started goes with it.
#
#   tests/distro.sh bookworm|trixie                 examples/demo.sh and tests/run.sh
#   tests/distro.sh bookworm|trixie ARGUMENT...     tests/run.sh ARGUMENT... alone
#   tests/distro.sh bookworm|trixie --package       builds, installs and tries the Debian packages
#
# TFRC_DISTRO_CACHE=FOLDER keeps the bare system and the packages there, so that the
# next run downloads nothing. The mirror is that of this machine's apt, or debootstrap's own.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh

case ${1:-} in
  bookworm|trixie) suite=$1; shift ;;
  *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 1 ;;
esac
[ "$(id -u)" = 0 ] || { echo "tests/distro.sh needs root: it makes a chroot" >&2; exit 1; }
need distro || exit 1

cache=${TFRC_DISTRO_CACHE:-}
if [ -n "$cache" ]; then
  mkdir -p "$cache" && cache=$(cd "$cache" && pwd) || exit 1
fi
top=$(mktemp -d "${TMPDIR:-/tmp}/tfrc-$suite.XXXXXX") || exit 1
root=$top/root
mkdir "$root"
trap 'rm -rf --one-file-system "$top"' EXIT
trap 'exit 1' INT TERM HUP

# The first archive of Debian, not of its security updates, in sources of either form.
get_mirror () {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources \
    2>/dev/null | sed -nE 's/^(URIs:|deb( +\[[^]]*\])?) +([^ ]+\/debian\/?)( .*)?$/\3/p' | head -n 1
}

# In a mount namespace of its own, as debootstrap mounts things.
bootstrap () {
  if [ -n "$cache" ] && [ -f "$cache/$suite.tar" ]; then
    tar -C "$root" -xf "$cache/$suite.tar"
    return
  fi
  # shellcheck disable=SC2046  # no mirror is no argument
  unshare --mount debootstrap --variant=minbase "$suite" "$root" $(get_mirror) \
    >"$top/debootstrap.log" 2>&1 || { tail -n 20 "$top/debootstrap.log" >&2; return 1; }
  if [ -n "$cache" ]; then
    tar -C "$root" -cf "$cache/$suite.tar.new" . &&
      mv "$cache/$suite.tar.new" "$cache/$suite.tar"
  fi
}

# The certificates that pip is told to trust here, when it is told: those of the chroot's Debian
# may know nothing of the proxy on the way to PyPI.
certificates=${PIP_CERT:-${SSL_CERT_FILE:-}}

# What the network needs, and this tree as it is committed.
furnish () {
  for file in /etc/resolv.conf /etc/hosts; do
    rm -f "$root$file"
    cp "$file" "$root$file" || return 1
  done
  [ ! -f "$certificates" ] || cp "$certificates" "$root/etc/certificates.pem" || return 1
  apt-config dump 2>/dev/null | grep -i '^Acquire::[a-z]*::Proxy' >"$root/etc/apt/apt.conf.d/proxy"
  # The system is thrown away in the end: nothing has to be on the disk.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
  git -c safe.directory='*' clone -q --no-hardlinks "$PWD" "$root/src"
}

# Runs in mount and process namespaces of its own: with its first process all others end and
# all mounts go.
cat >"$top/inside" <<'INSIDE'
root=$1; archives=$2; shift 2
mount -t proc proc "$root/proc" && mount -t sysfs sysfs "$root/sys" &&
  mount -t tmpfs -o mode=755 dev "$root/dev" && mkdir "$root/dev/pts" "$root/dev/shm" &&
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts" &&
  mount -t tmpfs -o mode=1777 shm "$root/dev/shm" || exit 1
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/net"
for device in null zero full random urandom tty net/tun; do
  [ -e "/dev/$device" ] || continue
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device" || exit 1
done
if [ -n "$archives" ]; then
  mkdir -p "$archives/partial"
  mount --bind "$archives" "$root/var/cache/apt/archives" || exit 1
fi
run () {
  env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    ${PIP_CERT:+PIP_CERT="$PIP_CERT"} \
    chroot "$root" sh -c 'cd /src && "$@"' sh "$@"
}
if [ $# -eq 0 ]; then
  echo "== examples/demo.sh"
  run examples/demo.sh || { echo "examples/demo.sh failed"; exit 1; }
fi
if [ "${1-}" = --package ]; then
  echo "== tests/package.sh --install"
  run tests/package.sh --install
  exit
fi
echo "== tests/run.sh $*"
run tests/run.sh "$@"
INSIDE

echo "== $suite"
bootstrap || { echo "debootstrap failed"; exit 1; }
furnish || { echo "the tree could not be cloned"; exit 1; }
PIP_CERT=${certificates:+/etc/certificates.pem} \
  unshare --mount --pid --fork --kill-child sh "$top/inside" "$root" "${cache:+$cache/$suite}" "$@"
