#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""What sequentialization costs: programs under sc, tso and pso, with every abstraction that this heddle has, beside the
axiomatic engine on the program itself.

  bench/sequentialization/run.py --heddle build/release/bin/heddle [--only PROGRAM/MODEL/METHOD] [--time 60] [--output results.jsonl]
  bench/sequentialization/run.py --heddle build/dev/bin/heddle --quick
  bench/sequentialization/run.py --from results.jsonl [more.jsonl] --markdown FILE

A row of the table is printed as soon as it is measured. One JSON line for each run goes to --output: program, model, method, bounds,
expected, verdict, agreement (that of bench/svcomp.py), cpu and wall seconds, memory in MiB, and the size of the formula. A run ends
after --time seconds of the processor or with --memory MiB; its verdict is then "time" or "memory", and "refused" where the program
would become too large.

Bounds are those of the tables 4.1 and 6.2 of E. Tomasco, "Separating
computation from communication", PhD thesis, Southampton 2017, where the program is in these tables; the published seconds
(LazySMA and IMU-CSeq with CBMC 5.2, a Xeon W3520 of 2.6 GHz, not scaled: nothing that ran there can be run here) are beside ours,
with the ratio of ours to them, and so are
their bounds where they differ. --growth runs two programs with one bound after the other growing
instead.

Exits with 1 if a verdict is not the expected one, or if a run crashed. --quick runs the small programs only, and there a
violation that no method finds fails, too. An option that this heddle does not have is left out and said so. With several --from
a later line replaces an earlier one of the same run.
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

MODELS = ["sc", "tso", "pso"]
WEAK = ("tso", "pso")
ALL = ("sc", "tso", "pso")
MEMORY_MB = 3000
MOST_WAITING = 20  # seconds of the clock for one of the processor, on a machine that has much else to do
QUICK_SECONDS = 5  # the small programs take less, or far more
SHARED = HERE.parent / "axiomatic" / "programs"


@dataclasses.dataclass(frozen=True)
class Case:
    """A program with the bounds under which its violation shows, and what was published for them."""

    name: str
    source: pathlib.Path
    violated: tuple = ()
    defines: tuple = ()
    unwind: int = 1
    loops: tuple = ()  # with bounds of their own, as of --unwind
    rounds: int = 2
    queue: int = 2  # pending stores that eTSO and ePSO keep for a location
    clock: int = 2
    writes: int = 3  # of a location, for IMU
    bits: int = 4
    lazy: dict = dataclasses.field(default_factory=dict)  # published seconds of LazySMA by model
    eager: dict = dataclasses.field(default_factory=dict)  # and of IMU-CSeq
    quick: bool = True
    table: str = ""  # bounds of the published rows where ours differ from them
    methods: str = ""  # only those whose names contain it


def program(name, **rest):
    return Case(name, HERE / "programs" / f"{name}.c", **rest)


def fib(rounds, broken, **rest):
    return Case(f"fib-{rounds}" + ("-broken" if broken else ""), SHARED / "fib.c", violated=ALL if broken else (),
                defines=(f"-DROUNDS={rounds}",) + (("-DBROKEN",) if broken else ()),
                unwind=rounds, loops=(f"fib.c:39={2 * rounds + 2}",),  # main counts so far
                rounds=rounds, writes=rounds + 1, bits=10, **rest)


CASES = [
    program("dekker", violated=WEAK, lazy={"tso": 0.77, "pso": 0.75}, eager={"tso": 0.76, "pso": 0.76}),
    program("lamport", violated=WEAK, lazy={"tso": 0.88, "pso": 0.88}, eager={"tso": 0.97, "pso": 0.97}),
    program("peterson", violated=WEAK, queue=3, lazy={"tso": 0.66, "pso": 0.65}, eager={"tso": 0.67, "pso": 0.68}),
    program("szymanski", violated=WEAK, queue=3, clock=3, writes=4, lazy={"tso": 0.81, "pso": 0.80},
            eager={"tso": 0.84, "pso": 0.84}),
    program("parker", violated=WEAK, unwind=2, rounds=3, queue=3, clock=3, writes=5, table="unwind 1, rounds 2, queue 2",
            lazy={"tso": 1.68, "pso": 2.19},
            eager={"tso": 1.22, "pso": 1.21}),
    program("stack", unwind=2, writes=4, bits=5),
    dataclasses.replace(program("stack", violated=ALL, defines=("-DBROKEN",), unwind=2, writes=4, bits=5,
                                lazy={"tso": 1.50, "pso": 1.49}, eager={"tso": 1.46, "pso": 1.44}), name="stack-broken"),
    fib(2, True),
    fib(2, False),
    fib(3, True, quick=False),
    fib(3, False, quick=False),
    fib(5, True, quick=False),
    fib(5, False, quick=False),
    fib(6, True, quick=False, lazy={"tso": 6.47, "pso": 6.51}, eager={"tso": 2.10, "pso": 2.50}),
    fib(6, False, quick=False, lazy={"tso": 9.78, "pso": 8.82}, eager={"tso": 4.75, "pso": 3.90}),
    fib(11, True, quick=False),
    fib(11, False, quick=False),
    Case("safestack", SHARED / "safestack.c", violated=ALL, defines=("-DTHREADS=3", "-DROUNDS=2"), unwind=3, rounds=4, queue=2,
         clock=1, writes=7, bits=3, quick=False, lazy={"tso": 618.0, "pso": 702.0}, eager={"tso": 210.0, "pso": 1020.0}),
    # Rows of table 4.2: points in time, nodes of a list and rounds decide whether it is reached.
    *(Case(f"safestack-{clock}-{queue}-{rounds}", SHARED / "safestack.c", violated=WEAK if is_reached else (),
           defines=("-DTHREADS=3", "-DROUNDS=2"), unwind=3, rounds=rounds, queue=queue, clock=clock, bits=3, quick=False,
           methods="lazy, e", lazy={"tso": tso, "pso": pso})
      for clock, queue, rounds, is_reached, tso, pso in ((1, 2, 3, False, 722.0, 676.0), (1, 2, 4, True, 618.0, 702.0),
                                                         (3, 3, 3, True, 3742.0, 1207.0))),
]


@dataclasses.dataclass(frozen=True)
class Method:
    """A way to ask; `needs` are the options without which it cannot be asked."""

    name: str
    arguments: object  # of a case: a list
    needs: tuple = ()
    models: tuple = ALL
    published: str = ""
    loops: bool = True  # does it take bounds of single loops?


def bounds(case):
    return [part for bound in (str(case.unwind), *case.loops) for part in ("--unwind", bound)]


def lazily(case):
    return bounds(case) + ["--via", "lazy", "--rounds", str(case.rounds)]


def few_bits(case, at_least=1):
    """As in the tables (in 6.2 at least 5); what has no row there is asked with all bits."""
    return ["--bits", str(max(case.bits, at_least))] if case.lazy or case.eager else []


METHODS = [
    # It finds the bounds of loops itself where one of them has its own.
    Method("axiomatic", lambda case: ([] if case.loops else bounds(case)) + ["--engine", "axiomatic"]),
    Method("lazy, axiomatic", lambda case: lazily(case) + ["--engine", "axiomatic"], loops=False),
    Method("lazy, bounded", lambda case: lazily(case) + ["--engine", "bounded"], published="lazy"),
    Method("lazy, bounded, few bits", lambda case: lazily(case) + ["--engine", "bounded", "--bits", str(case.bits)],
           published="lazy"),
    *(Method(f"lazy, {name}", lambda case, name=name: lazily(case) + [
        "--engine", "bounded", "--sma", name, "--queue", str(case.queue), "--clock", str(case.clock), *few_bits(case)],
        needs=("--sma",), models=(model,), published="lazy")
      for name, model in (("sc", "sc"), ("tso", "tso"), ("pso", "pso"), ("etso", "tso"), ("epso", "pso"))),
    *(Method(f"eager, {name}", lambda case, name=name: bounds(case) + [
        "--via", "eager", "--engine", "bounded", "--sma", name, "--writes", str(case.writes), *few_bits(case, 5)],
        needs=("--sma", "--writes"), models=(model,), published="eager")
      for name, model in (("mu", "sc"), ("mu-implicit", "sc"), ("mu-hybrid", "sc"), ("imu-sc", "sc"), ("imu-tso", "tso"),
                          ("imu-pso", "pso"))),
    # Clusters are rounds.
    *(Method(f"eager, {name}", lambda case, name=name: bounds(case) + [
        "--via", "eager", "--engine", "bounded", "--sma", name, "--writes", str(case.rounds)],
        needs=("--sma", "--writes"), models=(model,), published="lazy")
      for name, model in (("mu-coarse", "sc"), ("mu-coarse-tso", "tso"), ("mu-coarse-pso", "pso"))),
]
# One bound after the other, with a program that stays the same: what a round, a write, a node or a point in time more costs.
GROWTH = [dataclasses.replace(case, name=f"{case.name}, {bound} {value}", **{bound: value}, methods=methods, lazy={}, eager={})
          for case in CASES if case.name in ("peterson", "fib-3")
          for bound, methods, values in (("rounds", "lazy, ", (2, 3, 4, 5, 6)), ("writes", "eager, ", (3, 4, 5, 6, 7)),
                                         ("queue", "lazy, e", (2, 3, 4)), ("clock", "lazy, e", (2, 3, 4)))
          for value in values]


def counters_of(report):
    """The figures of the engine, whatever it is."""
    counters = (report or {}).get("stats", {})
    return {name: counters.get(name) for name in ("variables", "clauses", "conflicts")}


def verdict_of(ran, report):
    """As reported; "time" or "memory" where a limit, the tool's own or the one it did not keep, was hit first."""
    limit = ran.limit or LIMIT_OF_EXIT.get(ran.exit_code)
    return limit or (report or {}).get("verdict", ran.status())


class Bench:
    def __init__(self, options, output):
        self.options = options
        self.output = output
        self.lines = []
        self.wanted = options.only.split("/")
        ran = limited.run([options.heddle, "verify", "--help"], 60)
        self.help = ran.stdout.decode()

    def has(self, method):
        return all(f"{option} " in self.help for option in method.needs)

    def wants(self, case, model, method):
        return all(part in name for part, name in zip(self.wanted, (case.name, model, method.name)))

    def run(self, case, model, method):
        with tempfile.TemporaryDirectory(prefix="heddle-bench-") as folder:
            report = pathlib.Path(folder) / "report.json"
            command = [self.options.heddle, "verify", str(case.source), "--model", model, *method.arguments(case),
                       "--memory", str(self.options.memory), "--json", str(report), "--", *case.defines]
            ran = limited.run(command, MOST_WAITING * self.options.time + 60, 1.2 * self.options.memory + 100, cpu=self.options.time)
            expected = model not in case.violated
            answer = svcomp.read_report(report)
            published = getattr(case, method.published).get(model) if method.published else None
            line = {"program": case.name, "model": model, "method": method.name, "arguments": method.arguments(case),
                    "expected": "safe" if expected else "violated", "verdict": verdict_of(ran, answer),
                    "agreement": svcomp.agreement_of(ran, answer, expected), "bounds": (answer or {}).get("bounds", []),
                    "message": svcomp.message_of(ran, answer), "published": published, "table": case.table, **counters_of(answer),
                    **svcomp.measures(ran)}
        self.lines.append(line)
        print(json.dumps(line), file=self.output, flush=True)
        print(row_of(line), flush=True)

    def run_case(self, case):
        for model in self.options.models:
            for method in METHODS:
                if (not method.loops and case.loops) or case.methods not in method.name:
                    continue
                if model in method.models and self.has(method) and self.wants(case, model, method):
                    self.run(case, model, method)


def failures_of(lines, must_find):
    """Wrong verdicts, and runs that did not end as documented; in --quick also violations that nobody has found."""
    failures = [line for line in lines if line["agreement"] in ("wrong", "crash")]
    if must_find:
        found = {(line["program"], line["model"]) for line in lines if line["verdict"] == "violated"}
        failures += [line for line in lines if line["expected"] == "violated" and line not in failures
                     and (line["program"], line["model"]) not in found]
    return failures


BOUNDS = ("--unwind", "--rounds", "--queue", "--clock", "--writes", "--bits")
LIMIT_OF_EXIT = {3: "refused", 31: "time", 32: "memory"}
COLUMNS = ("program", "model", "method", "bounds", "published with", "verdict", "CPU s", "published s", "ratio", "MiB", "variables",
           "clauses", "conflicts")


def row_of(line):
    def shown(value, form="{}"):
        return "–" if value is None else form.format(value)

    is_decided = line["verdict"] in ("violated", "proved", "holds_within_bounds")
    ratio = line["cpu"] / line["published"] if line["published"] and is_decided else None
    given = [word for word in line["arguments"] if word.isdigit() or "=" in word or word in BOUNDS]
    return "| {} | {} | {} | {} | {} | {} | {:.2f} | {} | {} | {:.0f} | {} | {} | {} |".format(
        line["program"], line["model"], line["method"], " ".join(given).replace("--", ""),
        line.get("table") or ("the same" if line["published"] else "–"), line["verdict"].replace("_", " "), line["cpu"],
        shown(line["published"]), shown(ratio, "{:.2f}"), line["memory"],
        *(shown(line[name], "{:.0f}") for name in ("variables", "clauses", "conflicts")))


def table(lines):
    return "\n".join([HEAD, *map(row_of, lines)]) + "\n"


HEAD = "| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS)


def earlier_lines(files):
    """Of several runs; what was measured again replaces what was measured before, in its place."""
    lines = {}
    for file in files:
        for text in pathlib.Path(file).read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            lines[line["program"], line["model"], line["method"], tuple(line["arguments"])] = line
    return list(lines.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle")
    parser.add_argument("--only", default="", metavar="PROGRAM/MODEL/METHOD",
                        help="only where the names contain these; later ones may be left out")
    parser.add_argument("--models", nargs="+", default=MODELS, choices=MODELS)
    parser.add_argument("--time", type=float, help=f"seconds for each run; default: 60, with --quick {QUICK_SECONDS}")
    parser.add_argument("--memory", type=int, default=MEMORY_MB, help="MiB for each run")
    parser.add_argument("--output", help="file for the lines; default: none are kept")
    parser.add_argument("--markdown", help="file for the table")
    parser.add_argument("--from", dest="earlier", nargs="+", help="lines of an earlier run, instead of running")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--growth", action="store_true")
    options = parser.parse_args()
    if options.time is None:
        options.time = QUICK_SECONDS if options.quick else 60
    if options.earlier:
        lines = earlier_lines(options.earlier)
        print(table(lines), end="")
    else:
        if not options.heddle:
            parser.error("--heddle or --from is needed")
        with contextlib.ExitStack() as stack:
            output = stack.enter_context(open(options.output or "/dev/null", "a", encoding="utf-8"))
            bench = Bench(options, output)
            for method in METHODS:
                if not bench.has(method):
                    print(f"not there yet: {method.name}", file=sys.stderr)
            print(HEAD, flush=True)
            cases = GROWTH if options.growth else CASES
            for case in cases:
                if case.quick or not options.quick:
                    bench.run_case(case)
            lines = bench.lines
    failures = failures_of(lines, options.quick)
    if options.markdown:
        pathlib.Path(options.markdown).write_text(table(lines), encoding="utf-8")
    for line in failures:
        print(f"FAILED: {line['program']} {line['model']} {line['method']}: expected {line['expected']}, got {line['verdict']} "
              f"({line['agreement']}) {line['message']}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
