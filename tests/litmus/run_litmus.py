#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Litmus tests against what is expected of them.

Each folder beside this file holds tests NAME.litmus of one architecture with NAME.litmus.expected (states, observation and
counts, in herd's log format) under our model of that architecture; oracle/counts.yaml has the number of executions under
small models. A test without an expectation, an error or a difference is a failure.

  tests/litmus/run_litmus.py --binary build/dev/bin/heddle [--folder x86] [--jobs 2]
  tests/litmus/run_litmus.py --binary … --tests FOLDER --model MODEL [--states-only] [--include FOLDER]

With --engine axiomatic a solver answers: states and observation are compared, and nothing is counted.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
MODELS = {"x86": "x86tso", "aarch64": "armv8", "ppc": "power", "riscv": "riscv", "arm": "arm", "mips": "mips",
          "c11": "rc11", "c11-circular": "c11", "lkmm": "lkmm"}


def parse_log(text):
    """Name → (states, observation, positive and negative)."""
    results = {}
    for block in re.split(r"(?m)^Test ", text)[1:]:
        name = block.split()[0]
        states = re.search(r"(?m)^States (\d+)\n((?:.*;\n)*)", block)
        observation = re.search(r"(?m)^Observation \S+ (\S+) (\d+) (\d+)", block)
        results[name] = (sorted(states.group(2).splitlines()) if states else None,
                         observation.group(1) if observation else None,
                         observation.groups()[1:] if observation else None)
    return results


def run(binary, arguments):
    done = subprocess.run([binary, "litmus"] + arguments, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def run_folder(binary, folder, model, jobs, states_only, include, engine):
    files = sorted(folder.glob("*.litmus"))
    arguments = [str(folder), "--model", model, "--jobs", str(jobs), "--engine", engine]
    for path in include:
        arguments += ["--include", path]
    output, errors = run(binary, arguments)
    found = parse_log(output)
    failures = []
    for file in files:
        sidecar = pathlib.Path(str(file) + ".expected")
        if not sidecar.exists():
            failures.append(f"{file.name}: no expectation")
            continue
        expected = parse_log(sidecar.read_text())
        if len(expected) != 1:
            failures.append(f"{file.name}: the expectation is not a log of one test")
            continue
        name, wanted = next(iter(expected.items()))
        if name not in found:
            failures.append(f"{file.name}: no result")
            continue
        got = found[name]
        if states_only:
            wanted, got = wanted[:2], got[:2]
        if wanted != got:
            failures.append(f"{file.name}: expected {wanted}, got {got}")
    if errors:
        failures += [f"{folder.name}: {line}" for line in errors.strip().splitlines()]
    print(f"{folder.name} under {model}: {len(files) - len(failures)} of {len(files)} as expected")
    return len(files) - len(failures), failures


def run_counts(binary):
    folder = HERE / "oracle"
    table = yaml.safe_load((folder / "counts.yaml").read_text())["tests"]
    passed = 0
    failures = []
    models = sorted({model for row in table.values() for model in row})
    for model in models:
        output, errors = run(binary, [str(folder), "--model", str(folder / f"{model}.cat")])
        found = parse_log(output)
        if errors:
            failures.append(f"oracle: {errors.strip().splitlines()[0]}")
        for name, row in table.items():
            if model not in row:
                continue
            counts = found.get(name, (None, None, ("0", "0")))[2]
            got = sum(int(count) for count in counts)
            if got == row[model]["executions"]:
                passed += 1
            else:
                failures.append(f"{name} under {model}: expected {row[model]['executions']} executions, got {got}")
    print(f"oracle: {passed} counts as expected")
    return passed, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--folder", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tests")
    parser.add_argument("--model")
    parser.add_argument("--states-only", action="store_true")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--engine", default="auto")
    options = parser.parse_args()
    counts = options.engine != "axiomatic"
    passed = 0
    failures = []
    if options.tests:
        passed, failures = run_folder(options.binary, pathlib.Path(options.tests), options.model, options.jobs,
                                      options.states_only or not counts, options.include, options.engine)
    else:
        for name, model in MODELS.items():
            if options.folder and name not in options.folder:
                continue
            count, failed = run_folder(options.binary, HERE / name, model, options.jobs, not counts, [],
                                       options.engine)
            passed += count
            failures += failed
        if counts and (not options.folder or "oracle" in options.folder):
            count, failed = run_counts(options.binary)
            passed += count
            failures += failed
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
