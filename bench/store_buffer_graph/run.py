#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The machines of TSO and PSO against the reduced programs (docs/store-buffer-graphs.md) in the explicit engine, on the
scenarios of the literature (O. Travkin, Weak2SC, 2017, tables 6.2 and 6.3): states, seconds of the processor (all of the run,
that of SPIN without making the program), memory of the states. With --spin, SPIN explores both exports to Promela, too: that
of the reduced program, and that with processes for the store buffers.

  bench/store_buffer_graph/run.py --heddle build/release/bin/heddle [--only NAME] [--seconds 120] [--spin] [--making 300]
                                  [--json FILE] [--markdown FILE]

Exits with 1 if a verdict differs, if a program was not reduced, or if in a row in which the machine takes a second or more
the reduced program has more states or takes longer.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/export"))
from tools import Failure, call, spin  # noqa: E402 pylint: disable=wrong-import-position

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
MEMORY_MB = 4096
# Below this many seconds a time is noise.
LEAST_SECONDS = 1.0
# What is exported, with the options that say so; a thread of these programs has at most so many stores pending.
EXPORTS = {"spin, graph": ["--via", "store-buffer-graph"], "spin, machine": ["--pending", "14"]}


def run_heddle(heddle, program, defines, model, flags, seconds, folder):
    result = pathlib.Path(folder) / "verdict.json"
    result.unlink(missing_ok=True)
    command = [heddle, "verify", str(program), "--model", model, "--engine", "explicit", "--time", str(seconds),
               "--memory", str(MEMORY_MB), "--json", str(result), *flags, "--", *[f"-D{define}" for define in defines]]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not result.exists():
        sys.exit(f"heddle failed on {program}: {done.stdout}{done.stderr}")
    stats = json.loads(result.read_text())["stats"]
    states = stats["states"]
    return {"verdict": done.stdout.split(" ")[0], "states": states,
            "seconds": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            "megabytes": states * stats["bytes per state"] / 1e6, "reduced": "takes over" not in done.stderr}


def limit_of(why, options):
    """Which limit a search of SPIN's met."""
    if "MEMLIM" in why or "out of memory" in why:
        return f"more than {MEMORY_MB // 1024} GiB"
    if why.startswith("./pan: no answer"):
        return f"more than {options.seconds} s"
    if why.startswith(("gcc: no answer", "spin: no answer")):
        return f"not made in {options.making} s"
    return why.splitlines()[0][:80]


def run_spin(program, defines, model, flags, options):
    """One export; a text where there is no answer."""
    try:
        text = call([options.heddle, "translate", program, "--to", "promela", "--model", model, "--data-model", "ILP32", *flags, "--",
                     *[f"-D{define}" for define in defines]], options.seconds).stdout
        search = spin(text, options.seconds, optimise="-O1", making=options.making, megabytes=MEMORY_MB, depth=2000000)
    except Failure as why:
        return limit_of(str(why), options)
    return {"verdict": "PROVED" if search.holds else search.kinds[0], "states": search.states, "seconds": search.seconds,
            "megabytes": search.megabytes}


def show(name, model, what, row):
    if isinstance(row, str):
        print(f"{name:28} {model:4} {what:14} {row}", flush=True)
        return
    print(f"{name:28} {model:4} {what:14} {row['states']:12.0f} {row['seconds']:9.2f} {row['megabytes']:9.1f}  {row['verdict']}", flush=True)


def markdown(found):
    """A line for each scenario and model: states, seconds and megabytes of each way."""
    ways = ["machine", "reduced", *(EXPORTS if any(way in row for row in found for way in EXPORTS) else ())]
    lines = ["| scenario | model | " + " | ".join(ways) + " |", "|---" * (2 + len(ways)) + "|"]
    for row in found:
        cells = [row[way] if isinstance(row[way], str) else
                 f"{row[way]['states']:,.0f} / {row[way]['seconds']:.2f} / {row[way]['megabytes']:,.1f}" for way in ways]
        lines.append(f"| {row['scenario'].replace('|', chr(92) + '|')} | {row['model']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(HERE.parents[1] / "build/release/bin/heddle"))
    parser.add_argument("--only", help="rows whose name contains this")
    parser.add_argument("--seconds", type=int, default=120, help="limit for each run")
    parser.add_argument("--spin", action="store_true", help="explore both exports with SPIN, too")
    parser.add_argument("--making", type=int, default=300, help="limit for making each of SPIN's verifiers")
    parser.add_argument("--json", help="write the numbers there")
    parser.add_argument("--markdown", help="write a table there")
    options = parser.parse_args()
    found, missed = [], []
    print(f"{'scenario':28} {'':4} {'':14} {'states':>12} {'seconds':>9} {'MB':>9}  verdict")
    for name, program, defines in ROWS:
        if options.only and options.only not in name:
            continue
        for model in ("tso", "pso"):
            with tempfile.TemporaryDirectory() as folder:
                machine = run_heddle(options.heddle, program, defines, model, [], options.seconds, folder)
                reduced = run_heddle(options.heddle, program, defines, model, ["--via", "store-buffer-graph"], options.seconds, folder)
            show(name, model, "machine", machine)
            show(name, model, "reduced", reduced)
            row = f"{name} ({model})"
            searches = {}
            for way, flags in EXPORTS.items() if options.spin else ():
                searches[way] = run_spin(program, defines, model, flags, options)
                show(name, model, way, searches[way])
                if isinstance(searches[way], dict) and searches[way]["verdict"] != machine["verdict"]:
                    missed.append(f"{row}: {machine['verdict']} against {searches[way]['verdict']} of {way}")
            if not reduced["reduced"]:
                missed.append(f"{row}: not reduced")
            if machine["verdict"] != reduced["verdict"]:
                missed.append(f"{row}: {machine['verdict']} against {reduced['verdict']}")
            if machine["seconds"] >= LEAST_SECONDS:
                if reduced["states"] > machine["states"]:
                    missed.append(f"{row}: {reduced['states'] / machine['states']:.2f} times the machine's states")
                if reduced["seconds"] > machine["seconds"]:
                    missed.append(f"{row}: {reduced['seconds'] / machine['seconds']:.2f} times the machine's seconds")
            found.append({"scenario": name, "model": model, "machine": machine, "reduced": reduced, **searches})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(found, indent=1) + "\n")
    if options.markdown:
        pathlib.Path(options.markdown).write_text(markdown(found))
    for line in missed:
        print("missed:", line)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
