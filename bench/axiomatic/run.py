#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""How the axiomatic engine copes with published algorithms as threads and rounds grow, beside the explicit engine.

  bench/axiomatic/run.py --heddle build/release/bin/heddle [--only mcs] [--time 20] [--output results.jsonl] [--plots FOLDER]
  bench/axiomatic/run.py --heddle build/dev/bin/heddle --quick
  bench/axiomatic/run.py --from results.jsonl --plots FOLDER --markdown FILE

Each program of programs/ is run under each model at each size, first with more threads, then with more rounds. One JSON line for
each run: program, model, threads, rounds, engine, expected, verdict, agreement (that of bench/svcomp.py), bounds, cpu and wall
seconds, memory in MiB. A size that is not decided in time is reported as such, and larger ones are not tried. FOLDER gets
threads.svg and rounds.svg: CPU seconds over threads and over rounds, a hollow mark where there was no answer. FILE gets the table
that is printed at the end. With --from, both are made from the lines of an earlier run, and nothing is run.

Exits with 1 if a verdict is not the one of the table below, or if a run crashed. --quick runs each program at its smallest size
only, and there a violation that is not found fails, too.
"""

import argparse
import contextlib
import dataclasses
import json
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "lib")]
import limited  # noqa: E402  (found by the path above)
import svcomp  # noqa: E402
import svg_plot  # noqa: E402

MACHINES = ["sc", "tso", "pso"]  # every engine has these and takes every program here
MODELS = [*MACHINES, "rc11"]
ENGINES = ["axiomatic", "explicit"]
MEMORY_MB = 3000
COLOURS = {"sc": "#1b6ca8", "tso": "#c8553d", "pso": "#3a7d44", "rc11": "#7b4b94"}
ALL = ("sc", "tso", "pso", "rc11")
STORES_REORDERED = ("pso", "rc11")  # the bug is a store that overtakes another
STORE_AND_LOAD = ("tso", "pso", "rc11")  # the bug is a load that overtakes a store


@dataclasses.dataclass(frozen=True)
class Case:
    """A program at sizes. It is violated under `violated` from `from_size` on (threads, rounds), and holds elsewhere."""

    program: str
    broken: bool = False
    violated: tuple = ()
    from_size: tuple = (1, 1)
    base: tuple = (2, 1)  # the smallest size; each axis starts here
    threads: tuple = ()  # further numbers of threads, with the rounds of the base
    rounds: tuple = ()
    label: str = ""  # beside the program's name
    quick: bool = True  # is the base small enough for --quick?
    gaps: tuple = ()  # models under which no engine finds the violation yet

    @property
    def name(self):
        return self.program + ("-broken" if self.broken else "") + self.label

    def expects_violation(self, model, size):
        return model in self.violated and all(have >= need for have, need in zip(size, self.from_size))

    def sizes(self, axis):
        if axis == "threads":
            return [(threads, self.base[1]) for threads in self.threads]
        return [(self.base[0], rounds) for rounds in self.rounds]


CASES = [
    Case("fib", rounds=(2, 3, 4, 5, 6, 8, 11)),
    Case("fib", broken=True, violated=ALL, rounds=(2, 3, 4, 5, 6, 8, 11)),
    Case("safestack", violated=ALL, from_size=(3, 2), threads=(3, 4), rounds=(2, 3)),
    Case("safestack", violated=ALL, from_size=(3, 2), base=(3, 2), threads=(4,), rounds=(3,), label="-bug", quick=False),
    Case("ticket", threads=(3, 4, 5, 6), rounds=(2, 3, 4, 5, 6)),
    Case("ticket", broken=True, violated=STORES_REORDERED, threads=(3, 4, 5, 6), rounds=(2, 3, 4, 5, 6)),
    Case("mcs", threads=(3, 4), rounds=(2, 3, 4)),
    Case("mcs", broken=True, violated=STORES_REORDERED, threads=(3, 4), rounds=(2, 3, 4)),
    Case("mcs_indices", threads=(3, 4), rounds=(2, 3, 4)),
    Case("mcs_indices", broken=True, violated=STORES_REORDERED, threads=(3, 4), rounds=(2, 3, 4)),
    Case("clh", threads=(3, 4, 5, 6, 8), rounds=(2, 3, 4, 6, 8)),
    Case("clh", broken=True, violated=STORES_REORDERED, threads=(3, 4, 5, 6, 8), rounds=(2, 3, 4, 6, 8)),
    Case("seqlock", threads=(3, 4, 6, 8, 10), rounds=(2, 4, 6, 8, 12)),
    Case("seqlock", broken=True, violated=STORES_REORDERED, threads=(3, 4, 6, 8, 10), rounds=(2, 4, 6, 8, 12)),
    Case("treiber", threads=(3, 4), rounds=(2, 3)),
    Case("treiber", broken=True, violated=ALL, from_size=(2, 1), threads=(3, 4), rounds=(2, 3)),
    Case("michael_scott", threads=(3, 4), rounds=(2, 3)),
    Case("michael_scott", broken=True, violated=ALL, from_size=(2, 1), threads=(3, 4), rounds=(2, 3)),
    Case("chase_lev", base=(2, 2), threads=(3, 4), rounds=(3, 4, 5)),
    Case("chase_lev", broken=True, violated=STORE_AND_LOAD, from_size=(2, 2), base=(2, 2), threads=(3, 4), rounds=(3, 4, 5)),
]


def is_unsupported(ran):
    """Has the engine no such model for C programs? Then nothing was looked at."""
    return ran.exit_code == 3 and b"no engine takes this task" in ran.stdout and b"has no operational machine" in ran.stdout


def is_failure(line, must_decide):
    """The table is contradicted, or the run did not end as documented. Undecided runs are none, unless they must be decided."""
    undecided = line["agreement"] in ("timeout", "unknown", "bounded")
    return (line["agreement"] in ("wrong", "crash") or (line["agreement"] == "refused" and line["model"] in MACHINES)
            or (must_decide and line["expected"] == "violated" and undecided))


class Bench:
    def __init__(self, options, output):
        self.options = options
        self.output = output
        self.lines = []
        self.unsupported = set()  # pairs of engine and model
        self.failures = []

    def run(self, case, model, engine, size):
        """The line of one run, or None where the engine does not have the model."""
        with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
            report = pathlib.Path(folder) / "report.json"
            command = [self.options.heddle, "verify", str(HERE / "programs" / f"{case.program}.c"), "--model", model,
                       "--engine", engine, "--time", str(self.options.time), "--memory", str(MEMORY_MB), "--json", str(report),
                       "--", f"-DTHREADS={size[0]}", f"-DROUNDS={size[1]}"] + (["-DBROKEN"] if case.broken else [])
            # It ends by itself; the limit from outside is for one that does not.
            ran = limited.run(command, 1.5 * self.options.time + 5, 1.5 * MEMORY_MB)
            if is_unsupported(ran):
                return None
            expected = not case.expects_violation(model, size)
            answer = svcomp.read_report(report)
            line = {"program": case.name, "model": model, "threads": size[0], "rounds": size[1], "engine": engine,
                    "expected": "safe" if expected else "violated", "verdict": (answer or {}).get("verdict", ran.status()),
                    "agreement": svcomp.agreement_of(ran, answer, expected), "bounds": (answer or {}).get("bounds", []),
                    "message": svcomp.message_of(ran, answer), **svcomp.measures(ran)}
        self.lines.append(line)
        print(json.dumps(line), file=self.output, flush=True)
        if is_failure(line, self.options.quick and model not in case.gaps):
            self.failures.append(line)
        return line

    def run_axis(self, case, model, engine, sizes):
        for size in sizes:
            line = self.run(case, model, engine, size)
            if line is None:
                self.unsupported.add((engine, model))
                print(f"not supported: --engine {engine} --model {model}", file=sys.stderr)
                return False
            # Larger sizes are harder. An answer within bounds goes on if the bounds, not the time, ended it.
            if line["agreement"] not in ("correct", "bounded") or line["wall"] >= 0.9 * self.options.time:
                return False
        return True

    def run_case(self, case):
        for model in self.options.models:
            for engine in self.options.engines:
                if (engine, model) not in self.unsupported and self.run_axis(case, model, engine, [case.base]):
                    if not self.options.quick:
                        self.run_axis(case, model, engine, case.sizes("threads"))
                        self.run_axis(case, model, engine, case.sizes("rounds"))


def panels_of(lines, axis):
    """Per program the curves over one axis: the runs whose other size is the base's."""
    panels = {}
    for case in CASES:
        if not case.sizes(axis):
            continue
        sizes = {case.base, *case.sizes(axis)}
        for line in lines:
            size = (line["threads"], line["rounds"])
            if line["program"] == case.name and size in sizes:
                style = svg_plot.Style(f"{line['model']}, {line['engine']}", COLOURS[line["model"]],
                                       line["engine"] == "explicit")
                point = svg_plot.Point(line[axis], line["cpu"], line["agreement"] == "correct")
                panels.setdefault(case.name, {}).setdefault(style, []).append(point)
    return panels


def largest(runs):
    """The runs with the most threads and with the most rounds."""
    most = [max(runs, key=lambda run: (run[axis], run["threads"] + run["rounds"])) for axis in ("threads", "rounds") if runs]
    return most[:1] if most and most[0] is most[-1] else most


@dataclasses.dataclass(frozen=True)
class Row:
    """What there is to say of one program, model and engine."""

    program: str
    model: str
    engine: str
    decided: str  # how many sizes, of how many that were tried
    largest: list  # of text: threads x rounds, verdict, CPU seconds
    undecided: list


def rows_of(lines):
    groups = {}
    for line in lines:
        groups.setdefault((line["program"], line["model"], line["engine"]), []).append(line)
    for key, runs in groups.items():
        decided = [run for run in runs if run["agreement"] == "correct"]
        undecided = [run for run in runs if run["agreement"] != "correct"]
        said = [f"{run['threads']}x{run['rounds']} {run['verdict']} {run['cpu']:.2f}" for run in largest(decided)]
        left = [f"{run['threads']}x{run['rounds']}: {run['agreement']} {run['cpu']:.2f}" for run in undecided]
        yield Row(*key, f"{len(decided)}/{len(runs)}", said, left)


def print_table(lines):
    print(f"{'program':21} {'model':5} {'engine':10} decided  the largest (threads x rounds, verdict, cpu s), the undecided",
          file=sys.stderr)
    for row in rows_of(lines):
        said = ", ".join(row.largest + ["not " + size for size in row.undecided])
        print(f"{row.program:21} {row.model:5} {row.engine:10} {row.decided:7}  {said}", file=sys.stderr)


def markdown_of(lines):
    """The same table as a page shows it; the engine is named where there are several."""
    several = len({line["engine"] for line in lines}) > 1
    text = "| program | model | decided | largest: threads x rounds, verdict, CPU s | not decided |\n|---|---|---|---|---|\n"
    for row in rows_of(lines):
        name = f"{row.program}, {row.engine}" if several else row.program
        text += f"| {name} | {row.model} | {row.decided} | {', '.join(row.largest) or '–'} | {', '.join(row.undecided) or '–'} |\n"
    return text


def write_plots(lines, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for axis, label in (("threads", "threads"), ("rounds", "rounds of each loop")):
        picture = svg_plot.growth(f"CPU seconds over {label}", label, panels_of(lines, axis))
        (folder / f"{axis}.svg").write_text(picture, encoding="utf-8")


def print_failures(lines, failures):
    decided = sum(line["agreement"] == "correct" for line in lines)
    print(f"{len(lines)} runs, {decided} decided as expected, {len(failures)} failures", file=sys.stderr)
    for run in failures:
        print(f"{run['agreement'].upper()} {run['program']} {run['model']} {run['engine']} {run['threads']}x{run['rounds']}: "
              f"expected {run['expected']}, got {run['verdict']}: {run['message']}", file=sys.stderr)


def write_results(lines, options):
    if options.plots:
        write_plots(lines, pathlib.Path(options.plots))
    if options.markdown:
        pathlib.Path(options.markdown).write_text(markdown_of(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default=str(HERE.parents[1] / "build/release/bin/heddle"))
    parser.add_argument("--only", action="append", choices=sorted({case.program for case in CASES}))
    parser.add_argument("--models", type=lambda names: names.split(","), default=MODELS)
    parser.add_argument("--engines", type=lambda names: names.split(","), default=ENGINES)
    parser.add_argument("--time", type=int, default=20, help="seconds for each run")
    parser.add_argument("--quick", action="store_true", help="only the smallest size of each program")
    parser.add_argument("--output", help="write the JSON lines there instead of to the standard output")
    parser.add_argument("--plots", help="write threads.svg and rounds.svg to this folder")
    parser.add_argument("--markdown", help="write the table to this file")
    parser.add_argument("--from", dest="earlier", help="run nothing; the JSON lines of an earlier run")
    options = parser.parse_args()
    if options.earlier:
        lines = [json.loads(line) for line in pathlib.Path(options.earlier).read_text(encoding="utf-8").splitlines()]
        write_results(lines, options)
        return 0 if lines else 1
    if not pathlib.Path(options.heddle).exists():
        parser.error(f"{options.heddle} does not exist")
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(open(options.output, "w", encoding="utf-8")) if options.output else sys.stdout
        bench = Bench(options, output)
        for case in CASES:
            if (not options.only or case.program in options.only) and (case.quick or not options.quick):
                bench.run_case(case)
    write_results(bench.lines, options)
    if not options.quick:
        print_table(bench.lines)
    print_failures(bench.lines, bench.failures)
    return 1 if bench.failures or not bench.lines else 0


if __name__ == "__main__":
    sys.exit(main())
