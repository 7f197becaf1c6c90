# What building, testing and showing gst-tfrc needs, and how to get it: sourced by
# tests/run.sh, examples/demo.sh and tests/bench/run.sh.
# shellcheck shell=sh
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later

# need TAG...: installs (Debian and its kin, as root) or names what is missing for
# the tags of the table. Returns 1 when something stays missing.

# tag | how to see that it is there | Debian package | what it is, for other systems
tfrc_packages () {
  cat <<'TABLE'
build|cmd cc|gcc|a C11 compiler
build|libc|libc6-dev|the C library's headers
build|cmd pkg-config|pkg-config|pkg-config
build|cmd meson|meson|Meson 1.0 or newer
build|cmd ninja|ninja-build|Ninja
build|pc gstreamer-1.0 >= 1.22|libgstreamer1.0-dev|GStreamer 1.22 or newer, development files
build|pc gstreamer-check-1.0 >= 1.22|libgstreamer1.0-dev|GStreamer's check library (gstreamer-check-1.0)
build|pc gstreamer-rtp-1.0 >= 1.22|libgstreamer-plugins-base1.0-dev|GStreamer base plugins, development files
build|pc libsrtp2 >= 2.3|libsrtp2-dev|libsrtp 2.3, development files
build|pc opus >= 1.3|libopus-dev|libopus 1.3, development files
build|pc nettle >= 3.4|nettle-dev|Nettle 3.4, development files
build|pc gnutls >= 3.6.8|libgnutls28-dev|GnuTLS 3.6.8, development files (DTLS)
build|pc libsoup-3.0 >= 3.2|libsoup-3.0-dev|libsoup 3.2, development files (metrics over HTTP)
test|cmd prometheus|prometheus|Prometheus, which reads the metrics, and its promtool
test demo bench|cmd gst-inspect-1.0|gstreamer1.0-tools|GStreamer's command line tools
test demo bench|gst opusenc|gstreamer1.0-plugins-base|GStreamer base plugins with Opus
test demo bench|gst rtpopuspay|gstreamer1.0-plugins-good|GStreamer good plugins
test demo bench|gst audiobuffersplit|gstreamer1.0-plugins-bad|GStreamer bad plugins (audiobuffersplit)
test demo bench|gst rtpsession|gstreamer1.0-plugins-good|GStreamer good plugins
test demo bench|gst udpsink|gstreamer1.0-plugins-good|GStreamer good plugins
test|gst dtlssrtpenc|gstreamer1.0-plugins-bad|GStreamer bad plugins (dtls)
test demo bench|gst srtpenc|gstreamer1.0-plugins-bad|GStreamer bad plugins (srtp)
test demo bench|gst avdec_g722|gstreamer1.0-libav|gst-libav (reads the G.722 prompts)
test demo bench|speech demo-instruct|asterisk-core-sounds-en-g722|recorded speech (asterisk-core-sounds-en-g722)
test demo bench|/usr/bin/python3|python3|Python 3
test|gst x264enc|gstreamer1.0-plugins-ugly|GStreamer ugly plugins (x264)
test|py numpy|python3-numpy|NumPy
test|py gi|python3-gi|GObject introspection for Python 3
test|typelib Gst|gir1.2-gstreamer-1.0|GStreamer's introspection data
test|typelib GstWebRTC|gir1.2-gst-plugins-bad-1.0|GStreamer bad plugins' introspection data
test|typelib GstRtspServer|gir1.2-gst-rtsp-server-1.0|gst-rtsp-server's introspection data
test|py websockets|python3-websockets|websockets for Python 3
test|cmd chromium|chromium|Chromium, a browser at the other end
test|typelib GstSdp|gir1.2-gst-plugins-base-1.0|GStreamer base plugins' introspection data
test|cmd pulseaudio|pulseaudio|PulseAudio, for a sound server of the test's own
test|cmd parec|pulseaudio-utils|PulseAudio's command line tools
test demo|pc sofia-sip-ua-glib|libsofia-sip-ua-glib-dev|sofia-sip with GLib, development files (SIP in the softphone)
test demo|pc nice|libnice-dev|libnice, development files (ICE in the softphone)
test|cmd kamailio|kamailio|Kamailio, a SIP server
test|cmd turnserver|coturn|coturn, a STUN server
test|cmd baresip|baresip-core|baresip, a SIP phone at the other end
test|gst pulsesrc|gstreamer1.0-plugins-good|GStreamer good plugins with PulseAudio
test|gst nicesrc|gstreamer1.0-nice|libnice's GStreamer plugin
test|cmd ip|iproute2|iproute2 (network namespaces)
test|cmd nft|nftables|nftables (a lossy path, a NAT)
test|pc farstream-0.2 >= 0.2.9|libfarstream-0.2-dev|Farstream 0.2.9, development files
test|gst fsrtpconference|libfarstream-0.2-5|Farstream's elements
test|gst vp8enc|gstreamer1.0-plugins-good|GStreamer good plugins (vpx)
test lab|cmd g++|g++|a C++20 compiler (to build on the installed headers from C++)
test lab|lib ns3-core|libns3-dev|ns-3 (3.37 or newer)
demo bench lab|py matplotlib|python3-matplotlib|matplotlib for Python 3
voice|cmd ip|iproute2|iproute2 (network namespaces)
voice|cmd iperf3|iperf3|iperf3
test voice|cmd curl|curl|curl (what the pages print; the source of libopus)
style voice|py ensurepip|python3-venv|Python's venv
voice|libc|libc6-dev|the C library's headers
voice|pyheader|python3-dev|Python's headers (to build PESQ)
lab|/usr/bin/python3|python3|Python 3
lab|py matplotlib|python3-matplotlib|matplotlib for Python 3
test lab|py distributed|python3-distributed|Dask's distributed
lab|cmd c++|g++|a C++20 compiler
lab|pc ns3-core >= 3.30|libns3-dev|ns-3, development files
style|cmd indent|indent|GNU indent
style|cmd shellcheck|shellcheck|ShellCheck
style|cmd codespell|codespell|codespell
style|cmd git|git|Git
package|cmd dpkg-buildpackage|dpkg-dev|dpkg-buildpackage
package|deb build-essential|build-essential|what Debian builds packages with
package|cmd dh|debhelper|debhelper
package|cmd lintian|lintian|lintian
package|cmd git|git|Git
distro|cmd debootstrap|debootstrap|debootstrap
distro|cmd git|git|Git
test bench san|cmd valgrind|valgrind|valgrind
TABLE
}

tfrc_has () {
  # shellcheck disable=SC2086  # its words
  set -- $1
  case $1 in
    cmd) command -v "$2" >/dev/null ;;
    libc) echo '#include <stdio.h>' | cc -x c -fsyntax-only - 2>/dev/null ;;
    lib) echo 'int main (void) { return 0; }' | cc -x c -o /dev/null - "-l$2" 2>/dev/null ;;
    pc) shift; pkg-config "$*" 2>/dev/null ;;
    gst) GST_PLUGIN_PATH= gst-inspect-1.0 --exists --atleast-version=0.1 "$2" 2>/dev/null ;;
    py) /usr/bin/python3 -c "import $2" 2>/dev/null ;;
    typelib) /usr/bin/python3 -c "import gi; gi.require_version ('$2', '1.0')" 2>/dev/null ;;
    pyheader) test -e "$(/usr/bin/python3 -c "import sysconfig
print (sysconfig.get_path ('include'))")/Python.h" ;;
    deb) dpkg -s "$2" >/dev/null 2>&1 ;;
    speech) test -n "$(tfrc_speech "$2")" ;;
    /*) test -x "$1" ;;
    *) return 0 ;;
  esac
}

# The path of a recorded prompt, where the distribution put it.
tfrc_speech () {
  for tfrc_dir in "${TFRC_SPEECH_DIR:-}" /usr/share/asterisk/sounds/en_US_f_Allison \
      /usr/share/asterisk/sounds/en /var/lib/asterisk/sounds/en; do
    if [ -n "$tfrc_dir" ] && [ -f "$tfrc_dir/$1.g722" ]; then
      echo "$tfrc_dir/$1.g722"
      return 0
    fi
  done
}

tfrc_missing () {
  tfrc_packages | while IFS='|' read -r tags check package what; do
    for tag in "$@"; do
      case " $tags " in
        *" $tag "*) tfrc_has "$check" || echo "$package|$what"; break ;;
      esac
    done
  done | sort -u
}

tfrc_installed=

need () {
  tfrc_list=$(tfrc_missing "$@")
  [ -n "$tfrc_list" ] || return 0
  tfrc_names=$(echo "$tfrc_list" | cut -d'|' -f1 | sort -u | tr '\n' ' ')
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "installing: $tfrc_names"
    tfrc_installed=yes
    # shellcheck disable=SC2086  # a list
    tfrc_apt $tfrc_names || { echo "apt-get could not install: $tfrc_names" >&2; return 1; }
    tfrc_list=$(tfrc_missing "$@")
    [ -n "$tfrc_list" ] || return 0
    echo "installed, and still not found: $(echo "$tfrc_list" | cut -d'|' -f2 | tr '\n' ';')" >&2
    return 1
  fi
  echo "missing:" >&2
  echo "$tfrc_list" | cut -d'|' -f2 | sort -u | sed 's/^/  /' >&2
  if command -v apt-get >/dev/null; then
    echo "as root: apt-get install $tfrc_names" >&2
  else
    echo "(Debian's names: $tfrc_names)" >&2
  fi
  return 1
}

# configure BUILD [OPTION...]: sets the build directory up. One that is older than what
# `need` has just installed looks for it again.
configure () {
  if [ ! -f "$1/build.ninja" ]; then
    meson setup "$@"
  elif [ -n "$tfrc_installed" ]; then
    meson setup --reconfigure "$1"
  fi
}

# use_build NAME: builds $TFRC_BUILD ("build" by default) with all tests, and has programs load its plugin. NAME is
# that of the log and of the registry in the build directory.
use_build () {
  TFRC_BUILD=${TFRC_BUILD:-build}
  configure "$TFRC_BUILD" >/dev/null || return 1
  meson compile -C "$TFRC_BUILD" >"$TFRC_BUILD/$1-build.log" 2>&1 || {
    tail -n 30 "$TFRC_BUILD/$1-build.log"; echo "the build failed"; return 1; }
  TFRC_BUILD=$(cd "$TFRC_BUILD" && pwd) || return 1
  GST_PLUGIN_PATH=$TFRC_BUILD/gst/tfrc${GST_PLUGIN_PATH:+:$GST_PLUGIN_PATH}
  GST_REGISTRY=$TFRC_BUILD/$1.registry
  export TFRC_BUILD GST_PLUGIN_PATH GST_REGISTRY
}

tfrc_apt () {
  tfrc_log=$(mktemp)
  if { apt-get -q update && DEBIAN_FRONTEND=noninteractive \
      apt-get -qy install --no-install-recommends "$@"; } >"$tfrc_log" 2>&1 </dev/null; then
    rm -f "$tfrc_log"
    return 0
  fi
  tail -n 20 "$tfrc_log" >&2
  rm -f "$tfrc_log"
  return 1
}

# tfrc_make_speech PROMPT OUT.wav: the prompt as 16 kHz mono, the length it has. An
# elementary stream has no times of its own, and the decoder wants a segment in time.
tfrc_make_speech () {
  GST_PLUGIN_PATH= gst-launch-1.0 -q pushfilesrc time-segment=true \
    location="$(tfrc_speech "$1")" ! audio/G722,rate=16000,channels=1 ! avdec_g722 \
    ! audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=16000,channels=1 \
    ! wavenc ! filesink location="$2"
}
