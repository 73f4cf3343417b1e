#!/bin/sh
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
#
# Configures and builds one preset: build.sh PRESET [TARGET…]. Progress and errors go to stderr. Two builds of one preset at
# the same time wait for each other. Leaves build/PRESET/.built, whose time is that of the start of the last good build.
set -eu

preset=${1:?usage: build.sh PRESET [TARGET...]}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
build=build/$preset
mkdir -p "$build"

exec 9>"$build/.lock"
flock 9 || true

touch "$build/.building"
log=$build/.configure.log
if [ ! -f "$build/build.ninja" ] || [ -n "$(find CMakePresets.json -newer "$build/build.ninja")" ]; then
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    printf 'heddle set-up: configuring preset %s failed; see above\n' "$preset" >&2
    exit 70
  fi
  touch "$build/build.ninja"
fi
export NINJA_STATUS="[%f/%t] "
if ! cmake --build "$build" ${1:+--target "$@"} >&2; then
  printf 'heddle set-up: building preset %s failed; see above\n' "$preset" >&2
  exit 70
fi
mv "$build/.building" "$build/.built"
