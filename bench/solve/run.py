#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Our SAT core against CaDiCaL, both behind heddle-sat: CPU seconds per instance and PAR-2 per family.

    run.py --tool build/release/bin/heddle-sat [--cnf build/release/bin/heddle-cnf [--svcomp FOLDER]]
           [--seconds 60] [--json FILE] [--only PREFIX] [--select] [FOLDER_OR_CNF ...]

The fixed families of generate.py are always run (except with --no-families). --cnf adds the formulas of encodings_of_programs.py:
programs of bench/axiomatic, and with --svcomp tasks from a folder of them. Folders add every *.cnf in them, each as a family of its own.
--select runs CaDiCaL alone and says which instances it solves within 1 to 60 seconds. Exit code 1: two solvers disagreed, a model
was wrong, or a solver crashed."""
import argparse
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

import encodings_of_programs as encodings  # noqa: E402
import generate  # noqa: E402
from lib import limited  # noqa: E402

ANSWERS = {10: "sat", 20: "unsat", 0: "unknown"}


def run(tool, path, solver, seconds):
    """One solver on one file: its answer and CPU seconds. The wall limit is generous, for busy machines."""
    command = [tool, path] + (["--cadical"] if solver == "cadical" else [])
    ran = limited.run(["sh", "-c", f'ulimit -t {seconds + 1}; exec "$@"', "sh", *command], seconds=seconds * 6 + 10, memory=8000)
    answer = ANSWERS.get(ran.exit_code, "wrong")
    if ran.limit or ran.signal in (24, 9) or ran.cpu > seconds:  # SIGXCPU, SIGKILL
        answer = "unknown"
    return {"answer": answer, "cpu": round(ran.cpu, 3), "memory": round(ran.memory), "text": ran.stdout.decode().strip()}


def par2(run_result, seconds):
    return run_result["cpu"] if run_result["answer"] in ("sat", "unsat") else 2 * seconds


def instances(arguments, folder):
    if not arguments.no_families:
        for name in generate.INSTANCES:
            if name.startswith(arguments.only):
                path = pathlib.Path(folder) / (name + ".cnf")
                if not path.exists():
                    generate.make(name).write(path)
                yield name.split("-")[0], name, path
    if arguments.cnf:
        yield from encodings.instances(arguments.cnf, arguments.svcomp, folder, lambda name: name.startswith(arguments.only))
    for extra in map(pathlib.Path, arguments.extra):
        for path in sorted(extra.glob("*.cnf")) if extra.is_dir() else [extra]:
            if path.stem.startswith(arguments.only):
                yield (extra.name if extra.is_dir() else "file"), path.stem, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--json")
    parser.add_argument("--only", default="")
    parser.add_argument("--select", action="store_true")
    parser.add_argument("--no-families", action="store_true")
    parser.add_argument("--cnf", help="heddle-cnf")
    parser.add_argument("--svcomp", help="a folder of SV-COMP tasks")
    parser.add_argument("--keep", help="write the generated files here instead of a temporary folder")
    parser.add_argument("extra", nargs="*")
    arguments = parser.parse_args()
    solvers = ["cadical"] if arguments.select else ["cadical", "core"]
    failures = 0
    totals = {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for family, name, path in instances(arguments, folder):
            row = {solver: run(arguments.tool, str(path), solver, arguments.seconds) for solver in solvers}
            answers = {r["answer"] for r in row.values()} - {"unknown"}
            bad = len(answers) > 1 or "wrong" in answers
            failures += bad
            for solver in solvers:
                for key in (family, "all"):
                    totals.setdefault(key, {}).setdefault(solver, []).append(par2(row[solver], arguments.seconds))
            cells = "  ".join(f"{solver} {row[solver]['answer']:7} {row[solver]['cpu']:8.2f}" for solver in solvers)
            mark = "  DISAGREE" if bad else ""
            if arguments.select and not (1 <= row["cadical"]["cpu"] <= 60 and answers):
                mark = "  out of range"
            print(f"{name:28} {cells}{mark}", flush=True)
            if arguments.json:
                with open(arguments.json, "a", encoding="ascii") as file:
                    file.write(json.dumps({"family": family, "instance": name, **row}) + "\n")
    print()
    for family, sums in totals.items():
        means = {solver: sum(values) / len(values) for solver, values in sums.items()}
        ratio = f"  ratio {means['core'] / means['cadical']:.2f}" if "core" in means else ""
        text = "  ".join(f"{solver} {mean:8.2f}" for solver, mean in means.items())
        print(f"PAR-2 {family:14} {len(sums['cadical']):3} instances  {text}{ratio}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
