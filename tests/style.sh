#!/bin/sh
# Checks the style of the sources. The meson tests style-* run it, check by check.
#
#   tests/style.sh [--fix] [CHECK...] [FILE...]
#
#   CHECK      indent      C files are formatted by gst-indent (GNU indent with GStreamer's options)
#              python      ruff, by the rules of ruff.toml
#              shell       shellcheck
#              spelling    codespell
#              copyright   each source has the project's line of copyright
#              without one, all of them
#   FILE       without one, every file of the repository
#   --fix      mends what the tools can mend
#
# The exit status is 0 when all is well, 1 when not, 77 when a tool is missing and the other
# checks found nothing.
# Copyright (C) 2026 The gst-tfrc developers
# SPDX-License-Identifier: LGPL-2.1-or-later
set -u
cd "$(dirname "$0")/.." || exit 1

RUFF=0.17.6
INDENT='2\.2\.1[23]'
COPYRIGHT='Copyright (C) 2026 The gst-tfrc developers'
ALL='indent python shell spelling copyright'

# list PATTERN: the files to check whose names match.
list () {
  echo "$files" | grep -E "$1" | while read -r file; do
    [ -f "$file" ] && echo "$file"
  done
}

skip () {
  echo "$1"
  return 77
}

# --- indent

check_indent () {
  command -v indent >/dev/null || { skip "GNU indent is not installed"; return; }
  # Debian 12 and 13 have these, and the two agree about these sources. Others may not.
  indent --version | grep -q "$INDENT\$" ||
    { skip "$(indent --version) is installed, and the sources are formatted by 2.2.12 and 2.2.13"; return; }
  list '\.c$' | xargs -r /usr/bin/python3 tests/gstindent.py ${fix:+--fix}
}

# --- python

# Debian has no ruff: a virtual environment in the build directory has it.
find_ruff () {
  venv=${TFRC_BUILD:-build}/style-venv
  if command -v ruff; then
    return 0
  fi
  # Checks that run side by side install it once.
  (
    flock 9
    [ -x "$venv/bin/ruff" ] || {
      /usr/bin/python3 -m venv "$venv" >"$venv.log" 2>&1 &&
        "$venv/bin/pip" install -q --timeout 10 --retries 1 "ruff==$RUFF" >>"$venv.log" 2>&1
    }
  ) 9>"$venv.lock" || return 1
  echo "$venv/bin/ruff"
}

check_python () {
  mkdir -p "${TFRC_BUILD:-build}"
  ruff=$(find_ruff) || { skip "ruff $RUFF could not be installed (PyPI: ruff)"; return; }
  list '\.py$' | xargs -r "$ruff" check --quiet --no-cache ${fix:+--fix}
}

# --- shell

check_shell () {
  command -v shellcheck >/dev/null || { skip "shellcheck is not installed"; return; }
  list '\.sh$|^\.ci/run$' | xargs -r shellcheck --external-sources
}

# --- spelling

# ECN-capable transport; an archive of Rust sources.
TERMS=crate,ect

check_spelling () {
  command -v codespell >/dev/null || { skip "codespell is not installed"; return; }
  list '\.(c|h|cc|py|sh|md|build|txt)$|^NEWS$' |
    xargs -r codespell --ignore-words-list "$TERMS" ${fix:+--write-changes}
}

# --- copyright

check_copyright () {
  missing=$(list '\.(c|h|cc|py|sh)$|^\.ci/run$' | xargs -r grep -L "$COPYRIGHT\$")
  [ -n "$missing" ] || return 0
  if [ -n "$fix" ]; then
    # The line goes in front of the licence and begins as that does.
    echo "$missing" | xargs sed -i "0,/SPDX-License-Identifier/s/^\(.*\)SPDX-License-Identifier.*/\1$COPYRIGHT\n&/"
  else
    echo "$missing" | sed "s/\$/: no line '$COPYRIGHT'/"
    return 1
  fi
}

# --- all of them

run_check () {
  case $1 in
    indent) check_indent ;;
    python) check_python ;;
    shell) check_shell ;;
    spelling) check_spelling ;;
    copyright) check_copyright ;;
  esac
}

fix=
checks=
files=
for argument in "$@"; do
  case " $ALL " in
    *" $argument "*) checks="$checks $argument"; continue ;;
  esac
  case $argument in
    --fix) fix=yes ;;
    -*) sed -n '2,/^# SPDX/s/^# \{0,1\}//p' "$0"; exit 1 ;;
    *) files="$files${files:+
}$argument" ;;
  esac
done

if [ -z "$files" ]; then
  files=$(git -c safe.directory='*' ls-files --cached --others --exclude-standard) || {
    echo "git does not list the files of this tree"; exit 77; }
fi

worst=0
for check in ${checks:-$ALL}; do
  run_check "$check"
  status=$?
  case $status in
    0) ;;
    77) [ $worst -ne 0 ] || worst=77 ;;
    *) echo "style: $check is not as it should be; tests/style.sh --fix $check mends what can be mended"
      worst=1 ;;
  esac
done
exit $worst
