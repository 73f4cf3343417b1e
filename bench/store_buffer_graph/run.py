#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The machines of TSO and PSO against the reduced programs (docs/store-buffer-graphs.md) in the explicit engine, on the
scenarios of the literature (O. Travkin, Weak2SC, 2017, tables 6.2 and 6.3): states, seconds of the search, memory of the
states. Where `heddle translate --to promela` is there, SPIN explores the reduced program, too.

  bench/store_buffer_graph/run.py --heddle build/release/bin/heddle [--only NAME] [--seconds 120] [--spin] [--json FILE]

Exits with 1 if a verdict differs, if a program was not reduced, or if in a row in which the machine takes a second or more
the reduced program has more states or takes longer.
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
MUTEX = HERE.parents[1] / "tests/regress/mutex"
# Name of the row, program, definitions. The mutexes are the versions that are right under PSO, one acquire and one release.
ROWS = [
    ("burns", MUTEX / "burns_tso.c", []),
    ("dekker", MUTEX / "dekker_tso.c", []),
    ("peterson", MUTEX / "peterson_pso.c", []),
    ("lamport", MUTEX / "lamport_pso.c", []),
    ("szymanski", MUTEX / "szymanski_tso.c", []),
    ("arora uuuoouo || sss", HERE / "arora.c", ["OWNER=u u u o o u o", "THIEVES=1", "STEALS=3"]),
    ("arora uououo || ss || ss", HERE / "arora.c", ["OWNER=u o u o u o", "THIEVES=2", "STEALS=2"]),
    ("treiber uouo || uouo", HERE / "treiber.c", ["FIRST=u o u o", "SECOND=u o u o"]),
    ("treiber uuuooo || ooouuu", HERE / "treiber.c", ["FIRST=u u u o o o", "SECOND=o o o u u u"]),
    ("tml wr || wr", HERE / "tml.c", ["WR"]),
    ("tml wrr || wrr", HERE / "tml.c", ["WRR"]),
    ("tml w || w || rr || rr", HERE / "tml.c", ["IRIW"]),
    # Larger ones of the same kind, at which the machine takes long enough to be timed.
    ("arora uououo || 3 times ss", HERE / "arora.c", ["OWNER=u o u o u o", "THIEVES=3", "STEALS=2"]),
    ("treiber uouo || uouo || uo", HERE / "treiber.c", ["FIRST=u o u o", "SECOND=u o u o", "THIRD=u o"]),
    ("tml w||w||ww||ww||rr||rr", HERE / "tml.c", ["IRIW", "WRITERS=4"]),
]
MEMORY_MB = 3000
# Below this many seconds a time is noise.
LEAST_SECONDS = 1.0


def run_heddle(heddle, program, defines, model, flags, seconds, folder):
    result = pathlib.Path(folder) / "verdict.json"
    result.unlink(missing_ok=True)
    command = [heddle, "verify", str(program), "--model", model, "--engine", "explicit", "--time", str(seconds),
               "--memory", str(MEMORY_MB), "--json", str(result), *flags, "--", *[f"-D{define}" for define in defines]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not result.exists():
        sys.exit(f"heddle failed on {program}: {done.stdout}{done.stderr}")
    stats = json.loads(result.read_text())["stats"]
    states = stats["states"]
    return {"verdict": done.stdout.split(" ")[0], "states": states, "seconds": states / max(stats["states per second"], 1),
            "megabytes": states * stats["bytes per state"] / 1e6, "reduced": "takes over" not in done.stderr}


def run_spin(heddle, program, defines, model, seconds, folder):
    """The reduced program in Promela; None where this version cannot write it."""
    text = pathlib.Path(folder) / "reduced.pml"
    made = subprocess.run([heddle, "translate", str(program), "--to", "promela", "--via", "store-buffer-graph", "--model", model, "--",
                           *[f"-D{define}" for define in defines]], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return None
    text.write_text(made.stdout)
    subprocess.run(["spin", "-a", text.name], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", "-O2", "-DSAFETY", f"-DMEMLIM={MEMORY_MB}", "-w", "-o", "pan", "pan.c"], cwd=folder, check=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["timeout", "-s", "INT", str(seconds), "./pan", "-m5000000", "-n"], cwd=folder, capture_output=True,
                          text=True, check=False)
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    states = re.search(r"([\d.e+]+) states, stored", done.stdout)
    memory = re.search(r"([\d.]+)\s+total actual memory usage", done.stdout)
    return {"verdict": "errors: " + re.search(r"errors: (\d+)", done.stdout).group(1), "states": float(states.group(1)),
            "seconds": cpu, "megabytes": float(memory.group(1)) if memory else 0.0}


def show(name, model, what, row):
    print(f"{name:28} {model:4} {what:8} {row['states']:12.0f} {row['seconds']:9.2f} {row['megabytes']:9.1f}  {row['verdict']}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(HERE.parents[1] / "build/release/bin/heddle"))
    parser.add_argument("--only", help="rows whose name contains this")
    parser.add_argument("--seconds", type=int, default=120, help="limit for each run")
    parser.add_argument("--spin", action="store_true", help="explore the reduced programs with SPIN, too")
    parser.add_argument("--json", help="write the numbers there")
    options = parser.parse_args()
    found, missed = [], []
    print(f"{'scenario':28} {'':4} {'':8} {'states':>12} {'seconds':>9} {'MB':>9}  verdict")
    for name, program, defines in ROWS:
        if options.only and options.only not in name:
            continue
        for model in ("tso", "pso"):
            with tempfile.TemporaryDirectory() as folder:
                machine = run_heddle(options.heddle, program, defines, model, [], options.seconds, folder)
                reduced = run_heddle(options.heddle, program, defines, model, ["--via", "store-buffer-graph"], options.seconds, folder)
                spin = run_spin(options.heddle, program, defines, model, options.seconds, folder) if options.spin else None
            show(name, model, "machine", machine)
            show(name, model, "reduced", reduced)
            if spin:
                show(name, model, "spin", spin)
            elif options.spin:
                print(f"{name:28} {model:4} spin     (this version writes no Promela for it)")
            row = f"{name} ({model})"
            if not reduced["reduced"]:
                missed.append(f"{row}: not reduced")
            if machine["verdict"] != reduced["verdict"]:
                missed.append(f"{row}: {machine['verdict']} against {reduced['verdict']}")
            if machine["seconds"] >= LEAST_SECONDS:
                if reduced["states"] > machine["states"]:
                    missed.append(f"{row}: {reduced['states'] / machine['states']:.2f} times the machine's states")
                if reduced["seconds"] > machine["seconds"]:
                    missed.append(f"{row}: {reduced['seconds'] / machine['seconds']:.2f} times the machine's seconds")
            found.append({"scenario": name, "model": model, "machine": machine, "reduced": reduced, "spin": spin})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(found, indent=1) + "\n")
    for line in missed:
        print("missed:", line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
