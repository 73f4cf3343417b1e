#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes runtime/sma/ir/NAME.hir, the shared-memory abstractions as text for builds of heddle that cannot compile C, or checks that they are up to date.

The text has arrays that are large enough (MOST); the sizes themselves are constants without a value (sma_threads, …), which whoever reads the text sets.

  scripts/make_sma_ir.py [--binary build/dev/bin/heddle] [--check]
"""
import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = pathlib.Path("runtime/sma")
NAMES = ["sc", "tso", "pso", "etso", "epso", "mu", "mu-implicit", "mu-hybrid", "mu-coarse", "mu-coarse-tso", "mu-coarse-pso", "imu-sc", "imu-tso", "imu-pso"]
MOST = {"THREADS": 8, "CELLS": 32, "WRITES": 16, "QUEUE": 8, "CLOCK": 64}


def translate(binary, files, *words):
    # Relative names: the text does not depend on where the project lies.
    command = [str(binary), "translate", *[str(file) for file in files], "--to", "ir", *words]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        print(f"{' '.join(command)} failed:\n{process.stderr}")
        return None
    return process.stdout


def make(binary, name):
    flags = [f"-DSMA_MOST_{size}={most}u" for size, most in MOST.items()] + [f"-DSMA_{size}=sma_{size.lower()}" for size in MOST]
    if name.startswith(("mu", "imu")):
        flags.append("-DSMA_ASYNCHRONOUS")
    files = [FOLDER / f"{name}.c", FOLDER / "given.c", FOLDER / "ir" / "operations.c"]
    return translate(binary, files, "--entry", "sma_every_operation", "--", f"-I{FOLDER}", "-fno-sanitize=array-bounds", *flags)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "build" / "dev" / "bin" / "heddle")
    parser.add_argument("--check", action="store_true", help="write nothing; say what is not up to date")
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    passed = failed = 0
    for name in NAMES:
        target = FOLDER / "ir" / f"{name}.hir"
        text = make(binary, name)
        if text is not None and not arguments.check:
            (ROOT / target).write_text(text)
        is_current = text is not None and (ROOT / target).exists() and (ROOT / target).read_text() == text
        # The text can be read, and says the same when it is written again.
        is_readable = is_current and translate(binary, [target], "--entry", "sma_every_operation") == text
        if not is_readable:
            print(f"{target}: {'cannot be read again' if is_current else 'not up to date; run scripts/make_sma_ir.py'}")
        passed, failed = passed + is_readable, failed + (not is_readable)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
