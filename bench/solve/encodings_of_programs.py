#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Writes formulas of programs as SAT instances: those of bench/axiomatic/programs, and tasks of SV-COMP where a folder with them
is given (FOLDER/pthread/fib_bench_longest-1.yml and so on; those that are not there are left out).

    encodings_of_programs.py --cnf build/release/bin/heddle-cnf [--svcomp FOLDER] OUTPUT_FOLDER [NAME ...]

A name is program-model-bound for a task, and program-threadsxrounds-model for a program of ours; each is the question whether the
property is violated, with the order of events by pairs. No two names have the same formula (as atomic sections have under all
models): that is an error."""
import argparse
import hashlib
import pathlib
import subprocess
import sys

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "axiomatic" / "programs"

# Chosen so that CaDiCaL 1.5.3 takes between 1 and 60 seconds for each.
TASKS = """
pthread/fib_bench_longest-1 sc 10 11
pthread/fib_bench_longest-2 sc 9 10 11
pthread-divine/ring_2w1r-2 tso 24 32
pthread-divine/ring_2w1r-2 pso 24 32
pthread-ext/01_inc sc 8
pthread-ext/01_inc tso 8
pthread-ext/13_unverif sc 6 7 8
pthread-ext/13_unverif tso 6 7 8
pthread-ext/25_stack sc 4
pthread-ext/25_stack tso 4
"""

OURS = """
fib sc 2x8 2x9 2x10 2x11 2x12
fib tso 2x8 2x9 2x10 2x11 2x12
fib-broken sc 2x9 2x10 2x11 2x12
fib-broken tso 2x9 2x10 2x11 2x12
"""


def tasks():
    """Name, task file in the folder, options of heddle verify."""
    for line in TASKS.split("\n"):
        if line:
            task, model, *bounds = line.split()
            for bound in bounds:
                yield (f"{pathlib.PurePosixPath(task).name}-{model}-{bound}", task + ".yml",
                       ["--property", "reach", "--model", model, "--unwind", bound])


def ours():
    for line in OURS.split("\n"):
        if line:
            name, model, *sizes = line.split()
            program, _, broken = name.partition("-")
            for size in sizes:
                threads, rounds = size.split("x")
                yield (f"{name}-{size}-{model}", program + ".c",
                       ["--property", "reach", "--model", model, "--unwind", "40", "--", f"-DTHREADS={threads}",
                        f"-DROUNDS={rounds}"] + (["-DBROKEN"] if broken else []))


def instances(cnf, svcomp, folder, wanted=lambda name: True):
    """Writes what is not there yet, one after the other: the family, the name and the file of each."""
    known = {}  # names by the digest of the formula
    sources = [("ours", PROGRAMS, ours())] + ([("tasks", pathlib.Path(svcomp), tasks())] if svcomp else [])
    for family, root, entries in sources:
        for name, source, options in entries:
            path = pathlib.Path(folder) / (name + ".cnf")
            if not wanted(name) or not (root / source).exists():
                continue
            if not path.exists():
                subprocess.run([cnf, "pairs", str(path), str(root / source), *options], check=True)
            same = known.setdefault(hashlib.sha256(path.read_bytes()).digest(), name)
            if same != name:
                raise ValueError(f"{name} is the formula of {same}")
            yield family, name, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cnf", required=True)
    parser.add_argument("--svcomp")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    pathlib.Path(arguments.folder).mkdir(parents=True, exist_ok=True)
    for _, name, _ in instances(arguments.cnf, arguments.svcomp, arguments.folder,
                                lambda name: not arguments.names or name in arguments.names):
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
