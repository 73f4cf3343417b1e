#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The C that `heddle translate --via lazy|eager --to c` prints: C compilers accept it without a warning, and run with random choices it never
violates what `heddle verify` says holds with the same bounds; what is violated is violated in some runs. The last line is `N passed, N failed`.

  tests/sequentialization/generated.py --binary HEDDLE [--quick] [--runs N] [--seed N]
"""
import argparse
import dataclasses
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS = ROOT / "bench" / "sequentialization" / "programs"
PROVED, HOLDS, VIOLATED = 0, 1, 10  # exit codes


@dataclasses.dataclass(frozen=True)
class Case:
    program: str  # one of PROGRAMS, or a file without its ending
    model: str
    flags: tuple = ("--rounds", "2", "--unwind", "1")
    via: tuple = ("lazy",)
    defines: tuple = ()
    is_found: bool = False  # by random choices: the violation is not a rare one
    is_quick: bool = True

    @property
    def path(self):
        return next(folder / f"{self.program}.c" for folder in (PROGRAMS, ROOT) if (folder / f"{self.program}.c").exists())

    @property
    def name(self):
        return " ".join((self.program, *self.defines, self.model, *self.via))


TIMED = ("lazy", "--sma", "etso", "--queue", "2", "--clock", "2")
INDIVIDUAL = ("eager", "--sma", "imu-sc", "--writes", "3", "--clock", "6")
CASES = [
    Case("dekker", "sc"),
    Case("peterson", "sc"),
    Case("lamport", "sc"),
    Case("szymanski", "sc", is_quick=False),
    Case("parker", "sc", ("--rounds", "2", "--unwind", "2")),
    Case("stack", "tso", ("--rounds", "2", "--unwind", "2")),
    Case("examples/peterson_fenced", "tso"),
    Case("stack", "sc", ("--rounds", "2", "--unwind", "2"), defines=("-DBROKEN",), is_found=True),
    Case("dekker", "tso", is_quick=False),
    Case("peterson", "tso", via=TIMED, is_quick=False),
    Case("stack", "sc", ("--unwind", "1"), via=INDIVIDUAL, defines=("-DSIZE=1",), is_quick=False),
]


class Tester:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.passed = 0
        self.failed = 0

    def expect(self, holds, what):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED {what}")
        return bool(holds)

    def heddle(self, command, case, *flags):
        return subprocess.run([self.options.binary, command, case.path, "--model", case.model, "--via", *case.via, *case.flags, *flags,
                               *(("--", *case.defines) if case.defines else ())], capture_output=True, text=True, check=False)

    def compile(self, compiler, source, target):
        """Both files without a warning."""
        command = [compiler, "-std=gnu11", "-O0", "-Wall", "-Werror"]
        objects = []
        for file, flags in ((source, ["-Dmain=generated"]), (HERE / "choices.c", ["-Wextra"])):
            objects.append(target.with_suffix(f".{file.stem}.o"))
            process = subprocess.run([*command, *flags, "-c", file, "-o", objects[-1]], capture_output=True, text=True, check=False)
            if process.returncode != 0:
                return process.stderr[:2000]
        process = subprocess.run([compiler, *objects, "-o", target], capture_output=True, text=True, check=False)
        return process.stderr

    def run(self, case):
        verdict = self.heddle("verify", case, "--time", "100")
        if not self.expect(verdict.returncode in (PROVED, HOLDS, VIOLATED), f"{case.name}: no verdict\n{verdict.stdout}{verdict.stderr}"):
            return
        text = self.heddle("translate", case, "--to", "c")
        source = self.folder / "generated.c"
        source.write_text(text.stdout, encoding="utf-8")
        if not self.expect(text.returncode == 0 and text.stdout, f"{case.name}: is not printed\n{text.stderr}"):
            return
        for compiler in self.options.compilers:
            target = self.folder / f"run_{compiler}"
            wrong = self.compile(compiler, source, target)
            if not self.expect(not wrong, f"{case.name}: {compiler} does not accept it\n{wrong}"):
                continue
            process = subprocess.run([target, str(self.options.runs), str(self.options.seed)], capture_output=True, text=True, check=False)
            found = re.search(r"^(\d+) runs, (\d+) violations$", process.stdout, re.MULTILINE)
            if not self.expect(found, f"{case.name} by {compiler}: {process.stdout}{process.stderr}"):
                continue
            violations = int(found[2])
            if verdict.returncode != VIOLATED:
                self.expect(violations == 0, f"{case.name} by {compiler}: holds, and {violations} runs of {found[1]} violate it")
            self.expect(not case.is_found or violations > 0, f"{case.name} by {compiler}: no run of {found[1]} violates it")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", action="store_true", help="without what takes long to compile")
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    clang = next((name for name in ("clang-19", "clang") if shutil.which(name)), None)
    options.compilers = [name for name in ("gcc", clang) if name and shutil.which(name)]
    with tempfile.TemporaryDirectory(prefix="heddle-generated-") as folder:
        tester = Tester(options, Path(folder))
        for case in CASES:
            if options.filter in case.name and (case.is_quick or not options.quick):
                tester.run(case)
    print(f"{tester.passed} passed, {tester.failed} failed")
    return 1 if tester.failed or not tester.passed else 0


if __name__ == "__main__":
    sys.exit(main())
