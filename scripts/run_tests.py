#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs every test of the project and ends with one line: `N passed, N failed`.

Each stage is one group of tests; a stage that cannot run at all counts as one failure, and so does a run of no tests.
./test starts this after the packages are there.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = re.compile(rb"^(\d+) passed, (\d+) failed$", re.MULTILINE)


@dataclasses.dataclass
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0


class Tests:
    def __init__(self, arguments):
        self.arguments = arguments
        self.total = Count()
        self.lines = []
        self.start = time.monotonic()

    def add(self, name, count, seconds):
        self.total.passed += count.passed
        self.total.failed += count.failed
        self.total.skipped += count.skipped
        skipped = f", {count.skipped} skipped" if count.skipped else ""
        self.lines.append(f"  {name:<24} {count.passed:>6} passed {count.failed:>4} failed{skipped}  {seconds:7.1f} s")
        print(f"== {name}: {count.passed} passed, {count.failed} failed{skipped} ({seconds:.1f} s)", flush=True)

    def stage(self, name, body):
        """Runs one stage; `body` returns a Count."""
        if self.arguments.stage and name not in self.arguments.stage:
            return Count()
        print(f"== {name}", flush=True)
        start = time.monotonic()
        count = body()
        if count.passed + count.failed == 0:
            print(f"{name}: no test was run", flush=True)
            count.failed = 1
        self.add(name, count, time.monotonic() - start)
        return count

    def finish(self):
        print(f"\nStages ({time.monotonic() - self.start:.0f} s):")
        print("\n".join(self.lines))
        if self.total.passed + self.total.failed == 0:
            print("no test was run")
            self.total.failed = 1
        print(f"{self.total.passed} passed, {self.total.failed} failed", flush=True)
        return 1 if self.total.failed else 0


def run(command, env=None):
    """Runs a command in the root of the tree, showing what it prints."""
    return subprocess.run([str(word) for word in command], cwd=ROOT, env=env, check=False).returncode


def one(command):
    """A stage that is one check: it passes when the command does."""
    return lambda: Count(1, 0) if run(command) == 0 else Count(0, 1)


def counted(command):
    """A stage whose command ends with `N passed, N failed`."""

    def body():
        process = subprocess.Popen([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE)
        output = b""
        for line in process.stdout:
            if not SUMMARY.match(line.rstrip(b"\n")):
                sys.stdout.buffer.write(line)
                sys.stdout.flush()
            output += line
        code = process.wait()
        found = SUMMARY.findall(output)
        if not found:
            print(f"{command[0]} ended with exit code {code} and without a summary")
            return Count(0, 1)
        passed, failed = map(int, found[-1])
        if code != 0 and failed == 0:
            print(f"{command[0]} ended with exit code {code}")
            failed = 1
        return Count(passed, failed)

    return body


def build(preset, *targets):
    """A build is a test of its own: it counts once."""
    return one([ROOT / "scripts" / "build.sh", preset, *targets])


def ctest(preset, pattern=None, seconds=300):
    """The unit tests of a build, counted from ctest's report."""

    def body():
        with tempfile.TemporaryDirectory(prefix="heddle-ctest-") as folder:
            report = pathlib.Path(folder) / "junit.xml"
            command = ["ctest", "--test-dir", ROOT / "build" / preset, "--output-on-failure", "--output-junit", report,
                       "--parallel", os.cpu_count() or 1, "--timeout", seconds, "--quiet", "--no-tests=error"]
            code = run(command + (["-R", pattern] if pattern else []), env=environment())
            count = Count()
            if report.exists():
                for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
                    status = case.get("status")
                    if status == "run":
                        count.passed += 1
                    elif status == "disabled" or case.find("skipped") is not None and is_skip(case):
                        count.skipped += 1
                        print(f"skipped: {case.get('name')}")
                    else:
                        count.failed += 1
                        text = case.findtext("system-out") or ""
                        print(f"FAILED {case.get('name')} ({status})\n{text}")
            if code != 0 and count.failed == 0:
                print(f"ctest ended with exit code {code}")
                count.failed = 1
            return count

    return body


def is_skip(case):
    """Did the test itself ask to be skipped? A program that could not be run is a failure."""
    message = case.find("skipped").get("message") or ""
    return "SKIP" in message.upper()


def environment():
    """Property tests use one seed unless another is asked for; it is printed with a failure."""
    return {"RC_PARAMS": "seed=1", **os.environ, "ASAN_OPTIONS": "detect_stack_use_after_return=0"}


def regress(preset, level, *extra):
    return counted([sys.executable, ROOT / "tests" / "regress" / "run_regress.py", "--binary",
                    ROOT / "build" / preset / "bin" / "heddle", "--level", level, *extra])


def fuzz_slice(preset, count, *words):
    """A slice of the differential fuzzer: passes when it finds no disagreement."""
    return one([ROOT / "build" / preset / "bin" / "heddle-fuzz", "--count", count, "--seed", 1, *words])


def parser_fuzzer(name, patterns, seconds):
    """libFuzzer on a parser, starting from the texts of that kind in the project."""

    def body():
        binary = ROOT / "build" / "fuzz" / "bin" / name
        with tempfile.TemporaryDirectory(prefix="heddle-corpus-") as folder:
            files = [file for place, pattern in patterns for file in sorted((ROOT / place).rglob(pattern))]
            for number, file in enumerate(files):
                (pathlib.Path(folder) / f"{number}.seed").write_bytes(file.read_bytes())
            artefacts = ROOT / "build" / "fuzz" / "found"
            artefacts.mkdir(parents=True, exist_ok=True)
            # One seed: what stands between a change and its landing does not depend on luck.
            code = run([binary, "-seed=1", f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-verbosity=0",
                        "-print_final_stats=1", f"-artifact_prefix={artefacts}/", folder])
        return Count(1, 0) if code == 0 else Count(0, 1)

    return body


def main():
    parser = argparse.ArgumentParser(prog="./test", description="Builds Heddle and runs its tests.")
    parser.add_argument("--quick", action="store_true", help="checks, unit tests and the regression tests of level 0")
    parser.add_argument("--asan", action="store_true", help="unit tests and level 0 with ASan and UBSan, nothing else")
    parser.add_argument("--ci", action="store_true", help="everything, and also asan, no-llvm and a slice of the fuzzers")
    parser.add_argument("--level", type=int, help="regression tests up to this level (default 1)")
    parser.add_argument("--filter", help="only unit and regression tests whose name contains this text")
    parser.add_argument("--stage", action="append", help="only this stage (may be repeated); see the list at the end")
    arguments = parser.parse_args()
    tests = Tests(arguments)
    python = sys.executable
    level = arguments.level if arguments.level is not None else 0 if arguments.quick else 1
    filters = ["--filter", arguments.filter] if arguments.filter else []
    pattern = re.escape(arguments.filter) if arguments.filter else None

    def suite(preset, unit, regression_level, *extra):
        """Build, unit tests and regression tests of one preset. Without a binary the rest says nothing new."""
        if tests.stage(f"build {preset}", build(preset)).failed:
            return False
        tests.stage(unit, ctest(preset, pattern))
        tests.stage(f"regress {preset}", regress(preset, regression_level, *filters, *extra))
        return True

    def litmus(preset, suffix=""):
        """Litmus tests with that preset's binary: what is expected of each, and the commands from outside."""
        binary = ["--binary", ROOT / "build" / preset / "bin" / "heddle"]
        tests.stage(f"litmus{suffix}", counted([python, ROOT / "tests" / "litmus" / "run_litmus.py", *binary]))
        tests.stage(f"litmus-axiomatic{suffix}",
                    counted([python, ROOT / "tests" / "litmus" / "run_litmus.py", *binary, "--engine", "axiomatic"]))
        tests.stage(f"litmus-conditions{suffix}",
                    counted([python, ROOT / "tests" / "litmus" / "run_litmus.py", *binary, "--conditions", "--every", "4"]))
        tests.stage(f"litmus-cli{suffix}", counted([python, ROOT / "tests" / "scripts" / "run_litmus_cli.py", *binary]))
        tests.stage(f"lowering{suffix}", counted([python, ROOT / "tests" / "scripts" / "run_lowering.py", *binary]))

    if arguments.asan:
        if suite("asan", "unit asan", arguments.level or 0, "--slow", 8, "--testers", "verdict,replay,self,outcomes"):
            litmus("asan", " asan")
        return tests.finish()

    if not arguments.filter:
        tests.stage("format", one([ROOT / "scripts" / "check_format.sh"]))
        tests.stage("layers", one([python, ROOT / "scripts" / "check_layers.py"]))
        tests.stage("licence", one([python, ROOT / "scripts" / "check_licence.py"]))
        tests.stage("scripts", counted([python, ROOT / "tests" / "scripts" / "run.py"]))
    quick = ["--testers", "verdict,replay,monotone,outcomes"] if arguments.quick else []
    built = suite("dev", "unit", level, *quick)
    if built and not arguments.filter:
        tests.stage("options", one([python, ROOT / "scripts" / "check_options.py", "--binary",
                                    ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("terminal", counted([python, ROOT / "tests" / "scripts" / "run_terminal.py", "--binary",
                                         ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("limits", counted([python, ROOT / "tests" / "scripts" / "run_limits.py", "--binary",
                                       ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("witness", counted([python, ROOT / "tests" / "scripts" / "run_witness.py", "--binary",
                                        ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("certificates", counted([python, ROOT / "tests" / "scripts" / "run_proofs.py", "--binary",
                                             ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("bench", one([python, ROOT / "bench" / "axiomatic" / "run.py", "--quick", "--output", os.devnull,
                                  "--heddle", ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("sma", counted([python, ROOT / "tests" / "sma" / "run.py", *(["--no-mutants"] if arguments.quick else [])]))
        tests.stage("sma-ir", counted([python, ROOT / "scripts" / "make_sma_ir.py", "--check", "--binary",
                                       ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("sequentialization", counted([python, ROOT / "tests" / "sequentialization" / "outcomes.py", "--quick", "--binary",
                                                  ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("generated-c", counted([python, ROOT / "tests" / "sequentialization" / "generated.py", "--quick", "--binary",
                                            ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("linearizable", counted([python, ROOT / "tests" / "linearizable" / "run.py", "--binary",
                                             ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("proofs", counted([python, ROOT / "tests" / "linearizable" / "proofs.py", "--binary",
                                       ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("random proofs", counted([python, ROOT / "tests" / "linearizable" / "random_proofs.py", "--count", "120", "--binary",
                                              ROOT / "build" / "dev" / "bin" / "heddle"]))
        tests.stage("export", counted([python, ROOT / "tests" / "export" / "run.py", "--binary",
                                       ROOT / "build" / "dev" / "bin" / "heddle", "--quick"]))
        tests.stage("reduction", counted([python, ROOT / "tests" / "reduction" / "run.py", "--binary",
                                          ROOT / "build" / "dev" / "bin" / "heddle", "--quick"]))
        litmus("dev")
        tests.stage("docs", counted([python, ROOT / "scripts" / "check_docs.py"]))
        if not arguments.quick:
            tests.stage("viewer", counted([python, ROOT / "tests" / "viewer" / "run.py"]))
    if arguments.ci:
        tests.stage("heddle-fuzz", fuzz_slice("dev", 1000))
        tests.stage("heddle-fuzz nodes", fuzz_slice("dev", 200, "--nodes", "--reduction", 100, "--c-every", 4, "--state-limit", 10000))
        tests.stage("heddle-fuzz reduction", fuzz_slice("dev", 0, "--reduction", 600))
        tests.stage("heddle-fuzz sequential", fuzz_slice("dev", 0, "--sequential", 30, "--state-limit", 200))
        tests.stage("heddle-fuzz abstractions", fuzz_slice("dev", 0, "--abstractions", 400, "--through-every", 200))
        tests.stage("export-fuzz", counted([python, ROOT / "tests" / "export" / "fuzz.py", "--count", 15]))
        if suite("asan", "unit asan", 0, "--slow", 8, "--testers", "verdict,outcomes"):
            litmus("asan", " asan")
        suite("no-llvm", "unit no-llvm", 0, "--only-ir")
        fuzzers = {"ir_parser_fuzzer": [("tests", "*.hir")], "cat_parser_fuzzer": [("models", "*.cat")],
                   "litmus_parser_fuzzer": [("tests/litmus", "*.litmus")]}
        if not tests.stage("build fuzz", build("fuzz", *fuzzers)).failed:
            for name, patterns in fuzzers.items():
                tests.stage(name.replace("_", " "), parser_fuzzer(name, patterns, 40))
    return tests.finish()


if __name__ == "__main__":
    sys.exit(main())
