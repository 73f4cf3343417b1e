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

With --conditions the condition itself is the property: `heddle verify TEST` by every engine that takes the model must say of it
what the states that enumeration finds say.

  tests/litmus/run_litmus.py --binary … --conditions [--every 5] [--tests FOLDER --model sc,tso,rc11]
"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
MODELS = {"x86": "x86tso", "aarch64": "armv8", "ppc": "power", "riscv": "riscv", "arm": "arm", "mips": "mips",
          "c11": "rc11", "c11-circular": "c11", "lkmm": "lkmm"}


# Models with a machine are asked of both engines that step through programs; the others are axioms only.
MACHINES = ("sc", "tso", "pso")
CONDITION_MODELS = {**MODELS, "x86": "sc,tso,pso,x86tso", "c11": "sc,tso,pso,rc11"}


def parse_log(text):
    """Name → (states, observation, positive and negative, flags)."""
    results = {}
    for block in re.split(r"(?m)^Test ", text)[1:]:
        name = block.split()[0]
        states = re.search(r"(?m)^States (\d+)\n((?:.*;\n)*)", block)
        observation = re.search(r"(?m)^Observation \S+ (\S+) (\d+) (\d+)", block)
        results[name] = (sorted(states.group(2).splitlines()) if states else None,
                         observation.group(1) if observation else None,
                         observation.groups()[1:] if observation else None,
                         re.findall(r"(?m)^Flag (.*?) *$", block))
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
        elif folder.parent != HERE:
            wanted, got = wanted[:3], got[:3]  # other tools name flags otherwise
        if wanted != got:
            failures.append(f"{file.name}: expected {wanted}, got {got}")
    if errors:
        failures += [f"{folder.name}: {line}" for line in errors.strip().splitlines()]
    print(f"{folder.name} under {model}: {len(files) - len(failures)} of {len(files)} as expected")
    return len(files) - len(failures), failures


def expected_verdicts(binary, folder, files, model, include):
    """Name of the test → VIOLATED or PROVED, as the final states that enumeration finds say."""
    arguments = [str(file) for file in files] + ["--model", model, "--states", "--engine", "enumerate"]
    for path in include:
        arguments += ["--include", path]
    output, errors = run(binary, arguments)
    verdicts = {}
    for block in re.split(r"(?m)^Test ", output)[1:]:
        name = block.split()[0]
        condition = re.search(r"(?m)^Condition (\S+)", block)
        observation = re.search(r"(?m)^Observation \S+ \S+ (\d+) (\d+)", block)
        if condition and observation:
            satisfying, others = (int(count) for count in observation.groups())
            is_violated = others > 0 if condition.group(1) == "forall" else satisfying > 0
            verdicts[name] = "VIOLATED" if is_violated else "PROVED"
    return verdicts, errors


def name_of(file):
    """As the first line has it: "X86 SB"."""
    return file.read_text(errors="replace").split("\n", 1)[0].split()[1]


def run_conditions(binary, folder, models, jobs, every, include, must_decide):
    files = sorted(folder.glob("*.litmus"))[::every]
    passed = 0
    failures = []
    for model in models:
        expected, errors = expected_verdicts(binary, folder, files, model, include)
        for line in errors.strip().splitlines():
            print(f"  {folder.name} under {model}, by enumeration: {line}")
        questions = [(file, engine) for file in files if name_of(file) in expected
                     for engine in (("explicit", "axiomatic") if model in MACHINES else ("axiomatic",))]

        def ask(question):
            file, engine = question
            done = subprocess.run([binary, "verify", str(file), "--model", model, "--engine", engine, "--time", "15"],
                                  capture_output=True, text=True, check=False)
            return done.stdout, done.stderr

        found = collections.Counter()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for (file, engine), (output, error) in zip(questions, pool.map(ask, questions)):
                verdict = output.split(" ", 1)[0] if output else "REFUSED"
                wanted = expected[name_of(file)]
                if verdict == wanted or (verdict == "HOLDS" and wanted == "PROVED"):
                    passed += 1
                    found[verdict] += 1
                elif verdict in ("UNKNOWN", "REFUSED") and not must_decide:
                    found["undecided"] += 1
                    print(f"  {file.name} under {model}, {engine}: {(error or output).strip().splitlines()[0]}")
                else:
                    failures.append(f"{file.name} under {model}: enumeration says {wanted}, {engine} says {output or error}")
        print(f"{folder.name} under {model}: {len(files)} tests, {len(questions)} questions, "
              + (", ".join(f"{count} {verdict.lower()}" for verdict, count in sorted(found.items())) or "none answered"))
    return passed, failures


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
    parser.add_argument("--conditions", action="store_true", help="the condition of each test as a property, by all engines")
    parser.add_argument("--every", type=int, default=1, help="with --conditions: only every so many tests")
    options = parser.parse_args()
    counts = options.engine != "axiomatic"
    passed = 0
    failures = []
    if options.conditions:
        folders = ([(pathlib.Path(options.tests), options.model)] if options.tests else
                   [(HERE / name, models) for name, models in CONDITION_MODELS.items()
                    if not options.folder or name in options.folder])
        for folder, models in folders:
            count, failed = run_conditions(options.binary, folder, models.split(","), options.jobs, options.every,
                                           options.include, must_decide=not options.tests)
            passed += count
            failures += failed
    elif options.tests:
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
