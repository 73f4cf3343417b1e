#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Tests the shared-memory abstractions of runtime/sma without the verifier: each is compiled natively and tried with all answers to its guesses,
against a reference that shares nothing with it (see checker.h for the parts). Then the abstractions are broken on purpose, one line at a time, and
the test has to notice. The last line is `N passed, N failed`.

  tests/sma/run.py [--random COUNT] [--seed N] [--part NAME] [--no-mutants]
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SMA = ROOT / "runtime" / "sma"
EXPLORER = ROOT / "fuzz" / "sma"
NAMES = ["sc", "tso", "pso", "etso", "epso", "mu", "mu-implicit", "mu-hybrid", "mu-coarse", "mu-coarse-tso", "mu-coarse-pso", "imu-sc", "imu-tso", "imu-pso"]
SOURCES = {**{name: SMA / f"{name}.c" for name in NAMES},
           **{f"{name}_checked": HERE / f"{name}_checked.c" for name in ["etso", "epso"]},
           "one_entry": ROOT / "examples" / "sma" / "one_entry.c"}
# As in fuzz/sma/abstraction.h; the sizes are variables of the test.
MOST = {"THREADS": 5, "CELLS": 4, "WRITES": 8, "QUEUE": 6, "CLOCK": 8}
SIZES = [f"-DSMA_MOST_{name}={most}" for name, most in MOST.items()] + [f"-DSMA_{name}=sma_{name.lower()}" for name in MOST]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

# (file, text, what it is replaced by, abstraction that is then wrong, part that notices)
MUTANTS = [
    ("etso.c", "return all_due[t];", "return (void)t, 0;", "etso", "shapes"),
    ("epso.c", "fenced[t] = all_due[t];", "(void)t;", "epso", "shapes"),
    ("timed_lists.h", "due[cell][i] <= now || writer[cell][i] == t", "due[cell][i] <= now", "etso", "shapes"),
    ("timed_lists.h", "|| due[cell][i + 1] <= time", "|| due[cell][i + 1] < time", "epso", "shapes"),
    ("timed_lists.h", "    cut(SMA_BOUND_QUEUE);", "    sma_assume(0);", "etso", "bounds"),
    ("timed_lists.h", "      cut(SMA_BOUND_CLOCK);", "      sma_assume(0);", "epso", "bounds"),
    ("timed_lists.h", "  sma_fence(t);\n  let_time_pass(cell);", "  let_time_pass(cell);", "etso", "shapes"),
    ("timed_lists.h", "      sma_assume(earliest(cell, t) <= now);", "", "etso", "shapes"),
    ("timed_lists.h", "all_due[t] = later(all_due[t], time);", "all_due[t] = time;", "epso", "shapes"),
    ("timed_lists.h", "  if (in_section)\n    return;\n", "", "etso", "features"),
    ("tso.c", "i < length[t] &&", "i == 0 &&", "tso", "shapes"),
    ("pso.c", "group[t][c][0] < group[t][cell][0]", "0", "pso", "shapes"),
    ("mu.h", "next_own[0][child] > position[child]", "next_own[0][child] >= position[child]", "mu", "features"),
    ("mu.h", "written[to] == cell && value[to] == v", "written[to] == cell", "mu-implicit", "shapes"),
    ("mu.h", "  stop_at_bound(t, SMA_BOUND_WRITES);", "  sma_assume(t == SMA_NONE);", "mu", "bounds"),
    ("mu.h", "to < next_write(t) && !is_inside[to]", "to < next_write(t)", "mu", "features"),
    ("mu_links.h", "to < next_write(t) && next_same[i] > to", "to < next_write(t)", "mu-implicit", "features"),
    ("mu_links.h", "written[i] == cell && next_same[i] > from", "written[i] == cell", "mu-implicit", "shapes"),
    ("asynchronous.h", "  sma_assume(!owes_writes(t));", "", "mu-hybrid", "features"),
    ("asynchronous.h", "sma_assume(!end_known[t] && !owes_writes(t));", "", "imu-sc", "features"),
    ("asynchronous.h", "    sma_assume(!end_known[t]);\n    return;", "    return;", "imu-tso", "features"),
    ("imu.h", "  sma_fence(t);\n  sma_unary before = before_next[cell][t];", "  sma_unary before = before_next[cell][t];", "imu-pso", "shapes"),
    ("imu.h", "    sma_fence(parent);\n", "", "imu-tso", "features"),
    ("imu.h", "IS_LESS(time, next) & ", "", "imu-sc", "shapes"),
    ("imu.h", "WHERE_IN(entry & ~known, i)", "WHERE_IN(entry, i)", "imu-tso", "shapes"),
    ("unary.h", "((a) << 1 | 1)", "(a)", "imu-sc", "shapes"),
    ("imu.h", "IS_AT_MOST(stamp[c][i], section_start[t]) ||", "1 ||", "imu-sc", "features"),
    ("imu.h", "sma_assume(time == settled[t]);", ";", "imu-pso", "features"),
    ("imu.h", "is_full || is_late", "is_full", "imu-sc", "bounds"),
    ("imu.h", "owed |= last[c] &", "owed |= last[c] >> 1 &", "imu-sc", "shapes"),
    ("imu.h", "sma_most_writes(c) + 1", "sma_most_writes(c)", "imu-sc", "shapes"),
    ("imu-tso.c", "return settled[t];", "return (void)t, 0;", "imu-tso", "shapes"),
    ("imu-pso.c", "fenced[t] = settled[t];", "(void)t;", "imu-pso", "shapes"),
    ("coarse.h", "memory[i - 1][c] == start[i][c]", "i <= SMA_WRITES || start[i][c] == 0", "mu-coarse", "bounds"),
    ("coarse.h", "comes_later ? end + 1 : end", "end", "mu-coarse", "bounds"),
    ("coarse_buffers.h", "return is_pending(cell, t) ?", "return 0 ?", "mu-coarse-tso", "bounds"),
    ("coarse_buffers.h", "is_past[t][i] || all_due[t][i];", "is_past[t][i];", "mu-coarse-pso", "bounds"),
    ("mu-coarse-tso.c", "return all_due[t][cluster];", "return own_due[t][cell][cluster];", "mu-coarse-tso", "bounds"),
    ("mu-coarse-pso.c", "return own_due[t][cell][cluster] ||", "return", "mu-coarse-pso", "bounds"),
    ("coarse.h", "needs_more_clusters() && sma_nondet(2)", "0 && needs_more_clusters()", "mu-coarse", "bounds"),
]


def run(command):
    process = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if process.returncode != 0:
        print(f"{command[0]} failed:\n{process.stdout}{process.stderr}")
    return process.returncode == 0


def compile_abstraction(source, folder, name, includes, strict=True):
    return run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-fPIC", "-shared", *(WARNINGS if strict else ["-w"]), *SIZES,
                *[f"-I{include}" for include in includes], source, "-o", folder / f"{name}.so"])


def build(folder):
    good = all(compile_abstraction(source, folder, name, [SMA]) for name, source in SOURCES.items())
    files = sorted([*HERE.glob("*.cpp"), *EXPLORER.glob("*.cpp")])
    return good and run([os.environ.get("CXX", "c++"), "-std=c++20", "-O2", *WARNINGS, f"-I{EXPLORER.parent}", *files, "-rdynamic", "-ldl", "-o", folder / "sma_test"])


def is_noticed(mutant, built):
    """Breaks a copy of the abstractions and runs the part of the test until it fails."""
    file, text, replacement, name, part = mutant
    with tempfile.TemporaryDirectory(prefix="heddle-sma-mutant-") as temporary:
        folder = pathlib.Path(temporary)
        for source in [*SMA.glob("*.h"), *SMA.glob("*.c")]:
            (folder / source.name).write_text(source.read_text())
        original = (folder / file).read_text()
        if original.count(text) < 1:
            print(f"FAILED {file} has no '{text}' to break")
            return False
        (folder / file).write_text(original.replace(text, replacement, 1))
        for other in built.glob("*.so"):
            (folder / other.name).symlink_to(other)
        (folder / f"{name}.so").unlink()
        if not compile_abstraction(folder / f"{name}.c", folder, name, [], strict=False):
            return False
        process = subprocess.run([built / "sma_test", folder, f"only={name}", "once", part], capture_output=True, text=True, check=False)
        if process.returncode == 1 and "FAILED" in process.stdout:
            return True
        print(f"FAILED nobody notices that in {file} '{text}' became '{replacement}' ({name}, {part})")
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=12, help="random programs")
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--part", action="append", help="shapes, features, bounds, example")
    parser.add_argument("--no-mutants", action="store_true")
    arguments = parser.parse_args()
    parts = arguments.part or ["shapes", "features", "bounds", "example", f"random={arguments.random},{arguments.seed}"]
    with tempfile.TemporaryDirectory(prefix="heddle-sma-") as temporary:
        built = pathlib.Path(temporary)
        if not build(built):
            print("0 passed, 1 failed")
            return 1
        process = subprocess.run([built / "sma_test", built, *parts], stdout=subprocess.PIPE, text=True, check=False)
        summary = re.search(r"^(\d+) passed, (\d+) failed\n", process.stdout, re.MULTILINE)
        print(process.stdout[:summary.start()] if summary else process.stdout, end="")
        passed, failed = map(int, summary.groups()) if summary else (0, 1)
        if process.returncode != 0 and failed == 0:
            print(f"sma_test ended with exit code {process.returncode}")
            failed = 1
        for mutant in [] if arguments.no_mutants else MUTANTS:
            if is_noticed(mutant, built):
                passed += 1
            else:
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
