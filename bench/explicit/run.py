#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory of the explicit engine against SPIN, on the same algorithms in the same run.

For each algorithm beside this file: NAME.c through heddle (no reduction, no symmetry, breadth first) and NAME.pml through
spin -a and gcc -O2 -DSAFETY -DNOREDUCE. Prints distinct states per CPU second, bytes a state and the ratio; exits with 1 if
the engine is below half of SPIN's rate or above 60 bytes a state anywhere.

  bench/explicit/run.py --heddle build/release/bin/heddle [--only peterson] [--seconds 30] [--json FILE]
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Sizes at which each tool runs for at least five seconds: definitions for the C program, for the Promela model. (A local
# computation is no step in the C program, so it has fewer states.)
CASES = {
    "peterson": (["N=5"], ["N=4"]),
    "dekker": (["ROUNDS=1000"], ["ROUNDS=600"]),
    "szymanski": (["N=3", "ROUNDS=14"], ["N=3", "ROUNDS=2"]),
    "lamport": (["N=5"], ["N=4"]),
    "bakery": (["N=3", "ROUNDS=6"], ["N=3", "ROUNDS=2"]),
}
MEMORY_MB = 6000
TARGET_RATIO = 0.5
TARGET_BYTES = 60


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_heddle(heddle, name, defines, seconds, folder):
    result = pathlib.Path(folder) / f"{name}.json"
    command = [heddle, "verify", str(HERE / f"{name}.c"), "--model", "sc", "--property", "reach", "--no-reduction",
               "--no-symmetry", "--time", str(seconds), "--memory", str(MEMORY_MB), "--json", str(result), "--"]
    command += [f"-D{define}" for define in defines]
    before = children_cpu()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    cpu = children_cpu() - before
    if not result.exists():
        sys.exit(f"heddle failed on {name}: {done.stdout}{done.stderr}")
    stats = json.loads(result.read_text())["stats"]
    return {"states": stats["states"], "cpu": cpu, "rate": stats["states per second"],
            "bytes": stats["bytes per state"], "verdict": done.stdout.splitlines()[0] if done.stdout else ""}


def run_spin(name, defines, seconds, folder):
    flags = [f"-D{define}" for define in defines]
    subprocess.run(["spin", "-a"] + flags + [str(HERE / f"{name}.pml")], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", "-O2", "-DSAFETY", "-DNOREDUCE", f"-DMEMLIM={MEMORY_MB}", "-w", "-o", "pan", "pan.c"],
                   cwd=folder, check=True)
    before = children_cpu()
    done = subprocess.run(["timeout", "-s", "INT", str(seconds), "./pan", "-m20000000", "-n"], cwd=folder,
                          capture_output=True, text=True, check=False)
    cpu = children_cpu() - before
    states = float(re.search(r"([\d.e+]+) states, stored", done.stdout).group(1))
    # pan reports MB of 1024 * 1024 bytes: what states took after its own compression, and the hash table.
    memory = re.search(r"([\d.]+)\s+actual memory usage for states", done.stdout)
    table = re.search(r"([\d.]+)\s+memory used for hash table", done.stdout)
    total = sum(float(m.group(1)) for m in (memory, table) if m) * 1024 * 1024
    return {"states": states, "cpu": cpu, "rate": states / cpu, "bytes": total / states,
            "verdict": "errors: " + re.search(r"errors: (\d+)", done.stdout).group(1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(HERE.parents[1] / "build/release/bin/heddle"))
    parser.add_argument("--only", choices=sorted(CASES))
    parser.add_argument("--seconds", type=int, default=60, help="limit for each run")
    parser.add_argument("--json", help="write the numbers there")
    options = parser.parse_args()
    rows = []
    missed = []
    print(f"{'algorithm':10} {'':7} {'states':>12} {'cpu s':>8} {'states/s':>12} {'bytes/state':>12}")
    for name, (c_defines, promela_defines) in CASES.items():
        if options.only and name != options.only:
            continue
        with tempfile.TemporaryDirectory() as folder:
            heddle = run_heddle(options.heddle, name, c_defines, options.seconds, folder)
            spin = run_spin(name, promela_defines, options.seconds, folder)
        for tool, row in (("heddle", heddle), ("spin", spin)):
            print(f"{name:10} {tool:7} {row['states']:12.0f} {row['cpu']:8.1f} {row['rate']:12.0f} {row['bytes']:12.1f}"
                  f"   {row['verdict'][:60]}")
        ratio = heddle["rate"] / spin["rate"]
        print(f"{name:10} ratio   {ratio:12.2f}")
        if ratio < TARGET_RATIO or heddle["bytes"] > TARGET_BYTES:
            missed.append(name)
        rows.append({"algorithm": name, "defines": [c_defines, promela_defines], "heddle": heddle, "spin": spin, "ratio": ratio})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")
    if missed:
        print("below target:", ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
