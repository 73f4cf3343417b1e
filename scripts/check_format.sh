#!/bin/sh
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
#
# Checks the format of all C++ files with clang-format 19, or repairs it: check_format.sh [--fix] [FILE…].
set -eu
cd "$(dirname "$0")/.."
fix=
if [ "${1:-}" = --fix ]; then
  fix=yes
  shift
fi
# Programs to verify (tests/regress, examples, runtime) keep their own format.
if [ $# -gt 0 ]; then
  files=$(printf '%s\n' "$@")
else
  files=$(find src tests/unit fuzz bench -name '*.h' -o -name '*.cpp' | sort)
fi
if [ -z "$files" ]; then
  echo "no C++ file was found" >&2
  exit 1
fi
if [ -n "$fix" ]; then
  echo "$files" | xargs clang-format-19 -i --style=file
  exit 0
fi
# One line per file: the details are what --fix would do.
if report=$(echo "$files" | xargs clang-format-19 --dry-run -Werror --style=file 2>&1); then
  echo "format: $(echo "$files" | wc -l) files, 0 errors"
  exit 0
fi
bad=$(echo "$report" | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error:.*/\1/p' | sort -u)
[ -n "$bad" ] || echo "$report"
echo "$bad" | sed 's/$/: not formatted as .clang-format says/'
echo "format: $(echo "$files" | wc -l) files, $(echo "$bad" | wc -l) errors; scripts/check_format.sh --fix repairs them"
exit 1
