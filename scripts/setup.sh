#!/bin/sh
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
#
# Makes sure the packages of scripts/packages.txt are there: setup.sh run|test. Everything it says goes to stderr, so that
# the standard output belongs to the program that is started afterwards. On a terminal it asks before it installs. What apt
# says is shown only when apt fails. Exit 3: something is missing that it cannot, or may not, install.
set -eu

stage=${1:?usage: setup.sh run|test}
case $stage in
run | test) ;;
*)
  echo "setup.sh: expected run or test, got '$stage'" >&2
  exit 2
  ;;
esac
list=$(dirname "$0")/packages.txt

say() { printf 'heddle set-up: %s\n' "$*" >&2; }

# Runs the words without input and keeps what they say to itself, unless they fail.
quietly() {
  said=$(mktemp)
  if "$@" </dev/null >"$said" 2>&1; then
    rm -f "$said"
  else
    cat "$said" >&2
    rm -f "$said"
    return 1
  fi
}

# The packages of a stage, with why; test needs those of run as well. $1: "must" or "may".
wanted() {
  awk -v stage="$stage" -v need="$1" '
    /^#/ || NF == 0 { next }
    { may = sub(/\?$/, "", $2)
      if ($2 == "run" || stage == "test") if ((need == "may") == may) print $1 }' "$list"
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]; }
available() { apt-cache show --no-all-versions "$1" >/dev/null 2>&1; }

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  # Not a Debian: take the tools' presence as the sign that somebody did this by hand.
  missing=
  for tool in cmake ninja clang-19 llvm-config-19 c++; do
    command -v $tool >/dev/null || missing="$missing $tool"
  done
  [ -z "$missing" ] && exit 0
  say "this system has no apt-get, so nothing can be installed for you; not found:$missing"
  say "needed are these packages of Debian 12, or what your system calls them:"
  grep -v '^#' "$list" | awk -v stage="$stage" '$2 ~ /^run/ || stage == "test"' | sed 's/^/  /' >&2
  exit 3
fi

missing_of() {
  for package in $(wanted "$1"); do
    installed "$package" || printf '%s ' "$package"
  done
}
must=$(missing_of must)
may=$(missing_of may)
[ -z "$must$may" ] && exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    [ -z "$must" ] && exit 0
    say "missing packages, and neither root nor sudo to install them. As root, run:"
    say "  apt-get install $must"
    exit 3
  fi
  as_root=sudo
fi

unavailable_of() {
  for package in "$@"; do
    available "$package" || printf '%s ' "$package"
  done
}
# shellcheck disable=SC2086  # the lists are words on purpose
if [ -n "$(unavailable_of $must $may)" ] && [ -n "$must" ]; then
  say "refreshing the package lists${as_root:+ by sudo} (apt-get update)"
  quietly $as_root apt-get update || say "apt-get update failed; going on with the lists that are there"
fi
# shellcheck disable=SC2086
unknown=$(unavailable_of $must)
if [ -n "$unknown" ]; then
  say "this distribution has no package $unknown"
  say "Debian 12 (with updates) and 13 have all of them; needed here: $must"
  exit 3
fi
install=$must
for package in $may; do
  if available "$package"; then
    install="$install$package "
  fi
done
[ -z "$install" ] && exit 0

# shellcheck disable=SC2086
set -- $install
# A line for each package, with those that these need: address, name, bytes, checksum. Nothing where apt cannot tell.
megabytes=$(apt-get install --print-uris -qq --no-install-recommends "$@" 2>/dev/null |
  awk '$1 ~ /:/ { bytes += $3 } END { if (bytes) printf "%d", bytes / 1000000 + 1 }') || megabytes=
say "$# packages are missing: $*"
say "apt-get install${as_root:+, by sudo,} adds them${megabytes:+ ($megabytes MB to fetch)}; usually two to five minutes, once"
if [ -t 0 ] && [ -t 2 ]; then
  printf 'heddle set-up: install them now? [Y/n] ' >&2
  read -r answer || answer=n
  case $answer in
  "" | [Yy]*) ;;
  *)
    say "nothing was installed; to do it yourself: apt-get install $*"
    exit 3
    ;;
  esac
fi
if ! quietly $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; then
  say "the installation failed; see above"
  exit 3
fi
say "installed"
