#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""CPU seconds for folders of litmus tests, all files of a folder in one process, and how cost grows with writes to one place.

  bench/litmus/run.py --heddle build/release/bin/heddle --tests FOLDER --models FOLDER [--times herd-times.csv]
  bench/litmus/run.py --heddle … --growth

FOLDER has x86, aarch64, ppc, riscv and c11; the models are herd's own files of those names. With --times the ratio to the times
given there is printed, scaled by the calibration loop its first line names, run here as well. That line does not say whether the
loop's variables were global (as `python3 -c` has them) or a function's, which is 1.7 times as fast: both ratios are printed. The
loops and each folder are run several times (--rounds), in turn, and the least of each counts: a machine that does something else
beside makes both slower, not alike. Exits with 1 if a ratio, by the faster loop, is above a tenth.
"""

import argparse
import csv
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

MODELS = {"x86": "x86tso.cat", "aarch64": "aarch64.cat", "ppc": "ppc.cat", "riscv": "riscv.cat", "c11": "rc11.cat"}
TARGET = 0.1


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done


LOOP = "s = 0\nfor i in range(20_000_000): s += i*i & 7"


def calibrate():
    """Seconds of the loop with variables of a function, and with global ones."""
    start = time.process_time()
    s = 0
    for i in range(20_000_000):
        s += i * i & 7
    middle = time.process_time()
    exec(compile(LOOP, "loop", "exec"), {})
    return middle - start, time.process_time() - middle


def run_folders(options):
    times = {}
    given = None
    if options.times:
        lines = pathlib.Path(options.times).read_text().splitlines()
        given = re.search(r"took ([0-9.]+) s of CPU", lines[0])
        times = {row["folder"]: float(row["seconds"]) for row in csv.DictReader(lines[1:])}
    taken = {folder: [] for folder in MODELS}
    calibrations = []
    for _ in range(options.rounds):
        if given:
            calibrations.append(calibrate())
        for folder, model in MODELS.items():
            tests = pathlib.Path(options.tests) / folder
            command = [options.heddle, "litmus", str(tests), "--model", str(pathlib.Path(options.models) / model)]
            taken[folder].append(cpu_of(command))
    if given:
        local, in_module = (min(seconds) for seconds in zip(*calibrations))
        print(f"calibration: {local:.2f} s here in a function, {in_module:.2f} s with global variables, {given.group(1)} s there")
    worst = 0.0
    for folder, runs in taken.items():
        seconds, done = min(runs, key=lambda run: run[0])
        count = done.stdout.count("\nObservation ")
        line = f"{folder:8} {count:4} tests {seconds:7.3f} s"
        if folder in times:
            ratios = [seconds / (times[folder] * here / float(given.group(1))) for here in (local, in_module)]
            worst = max(worst, ratios[0])
            line += f"   herd there {times[folder]:6.2f} s   ratio {ratios[0]:.3f} ({ratios[1]:.3f})"
        if done.stderr:
            line += f"   {done.stderr.splitlines()[0]}"
        print(line)
    return 1 if worst > TARGET else 0


def growth_test(writes):
    """One thread that reads x twice, and a writer of x for each value."""
    columns = ["P0"] + [f"P{i + 1}" for i in range(writes)]
    first = ["MOV EAX,[x]"] + [f"MOV [x],${i + 1}" for i in range(writes)]
    second = ["MOV EBX,[x]"] + [""] * writes
    rows = [columns, first, second]
    body = "\n".join(" " + " | ".join(row) + " ;" for row in rows)
    return f"X86 grow{writes}\n{{ }}\n{body}\nexists (0:EAX=1 /\\ 0:EBX=2 /\\ x=1)\n"


def run_growth(options):
    with tempfile.TemporaryDirectory() as folder:
        print("writes   states    s (states)   s (counting executions)")
        for writes in range(1, 13):
            file = pathlib.Path(folder) / f"grow{writes}.litmus"
            file.write_text(growth_test(writes))
            command = [options.heddle, "litmus", str(file), "--model", "x86tso"]
            states, done = cpu_of(command + ["--states"])
            found = re.search(r"(?m)^States (\d+)", done.stdout)
            counting = ""
            if writes <= 7:
                seconds, counted = cpu_of(command)
                executions = re.search(r"(?m)^Observation \S+ \S+ (\d+) (\d+)", counted.stdout)
                counting = f"{seconds:8.3f} ({sum(int(n) for n in executions.groups())} executions)"
            print(f"{writes:6} {found.group(1) if found else '?':>8} {states:13.3f}   {counting}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--tests")
    parser.add_argument("--models")
    parser.add_argument("--times")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--growth", action="store_true")
    options = parser.parse_args()
    if options.growth:
        return run_growth(options)
    return run_folders(options)


if __name__ == "__main__":
    sys.exit(main())
