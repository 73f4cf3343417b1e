#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The verdicts of the literature (O. Travkin, Weak2SC, 2017, table 6.1) by ways that share little: the machine of the model,
the reduced program under SC (its store-buffer graphs validated), the axiomatic engine, and SPIN on both exports to Promela:
that of the reduced program, and that of the program with processes for the store buffers.

Where the reduction has to refuse (a loop that stores without a fence), it must name the stores, and the machine takes over.
A buffer of SPIN's that is too small must be reported by its assertion. Then what the table does not show: which threads have
graphs at all, that a graph is of the thread alone, what is pending at the start, and which fences are suggested where the
table has a counterexample. The table of features in docs/store-buffer-graphs.md must name tests that exist. The last line is
`N passed, N failed`.

  tests/reduction/run.py --binary build/dev/bin/heddle [--only NAME] [--quick]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "export"))
from tools import Failure, spin  # noqa: E402 pylint: disable=wrong-import-position

MUTEX = ROOT / "tests" / "regress" / "mutex"
REGRESS = ROOT / "tests" / "regress" / "reduction"
BENCH = ROOT / "bench" / "store_buffer_graph"
PROVED, VIOLATED = 0, 10
NAMES = {PROVED: "ok", VIOLATED: "X"}
ARORA = ["OWNER=u u o", "THIEVES=1", "STEALS=2"]
TREIBER = ["FIRST=u o", "SECOND=u o"]
# Row of the table (in brackets the model it has fences for), program, definitions, verdicts under TSO and PSO, and the stores
# that a refusal names. Our version of Burns' algorithm stores each time it starts again: without fences it has a graph only
# where that is cut after a few times.
CUT = {"burns": ["--unwind", "3"]}
ROWS = [
    ("burns", MUTEX / "burns.c", [], (VIOLATED, VIOLATED), None),
    ("burns (tso)", MUTEX / "burns_tso.c", [], (PROVED, PROVED), None),
    ("dekker", MUTEX / "dekker.c", [], (VIOLATED, VIOLATED), ["STORE(flag[me], 0);", "STORE(flag[me], 1);"]),
    ("dekker (tso)", MUTEX / "dekker_tso.c", [], (PROVED, PROVED), None),
    ("peterson", MUTEX / "peterson.c", [], (VIOLATED, VIOLATED), None),
    ("peterson (tso)", MUTEX / "peterson_tso.c", [], (PROVED, VIOLATED), None),
    ("peterson (pso)", MUTEX / "peterson_pso.c", [], (PROVED, PROVED), None),
    ("lamport", MUTEX / "lamport.c", [], (VIOLATED, VIOLATED), None),
    ("lamport (tso)", MUTEX / "lamport_tso.c", [], (PROVED, VIOLATED), None),
    ("lamport (pso)", MUTEX / "lamport_pso.c", [], (PROVED, PROVED), None),
    ("szymanski", MUTEX / "szymanski.c", [], (VIOLATED, VIOLATED), None),
    ("szymanski (tso)", MUTEX / "szymanski_tso.c", [], (PROVED, PROVED), None),
    ("arora", BENCH / "arora.c", [*ARORA, "FENCES=0"], (VIOLATED, VIOLATED), None),
    ("arora (tso)", BENCH / "arora.c", [*ARORA, "FENCES=1"], (PROVED, VIOLATED), None),
    ("arora (pso)", BENCH / "arora.c", [*ARORA, "FENCES=2"], (PROVED, PROVED), None),
    ("treiber", BENCH / "treiber.c", TREIBER, (PROVED, PROVED), None),
    ("tml", MUTEX / "tml.c", [], (PROVED, VIOLATED), None),
    ("tml (pso)", MUTEX / "tml_pso.c", [], (PROVED, PROVED), None),
]
WAYS = {
    "machine": ["--engine", "explicit"],
    "reduced": ["--engine", "explicit", "--via", "store-buffer-graph", "--validate"],
    "published": ["--engine", "explicit", "--via", "store-buffer-graph", "--flushes", "everywhere"],
    "axiomatic": ["--engine", "axiomatic"],
}
# Exports: the second has buffers that hold all stores that are pending between two fences of any row but those of loops.
EXPORTS = {
    "spin, graph": ["--via", "store-buffer-graph"],
    "spin, machine": ["--pending", "8"],
}
# Two pushes of the queue's owner and what follows are more stores than four.
SMALL = ("arora (pso)", ["--pending", "4"])
# With --quick SPIN is asked about these rows only: all verdicts occur, and so do loops, pointers, blocks, the refusal and a small buffer.
QUICK = ("dekker", "peterson (tso)", "treiber", "arora (pso)", "tml", "tml (pso)")
# Threads that call functions with locals in memory: is there a graph?
WHOLE = [
    ([], True),
    (["FENCED"], True),
    (["UNWRITTEN"], True),
    (["POINTER"], True),
    (["KEPT"], False),
    (["RECURSIVE"], False),
]


# F49: which fences are missing where a row has a counterexample. Program, model, and the fences: function, text of the line they stand
# before or after, order. Those of the literature, but where fewer are enough: Dekker's needs none after a flag is lowered.
FULL, STORES = "seq_cst", "release"
DEKKER = [("acquire", "after", "STORE(flag[me], 1);", FULL)]
BURNS = [("first", "after", "STORE(flag1, 1);", FULL), ("second", "after", "STORE(flag2, 1);", FULL)]
PETERSON = ("acquire", "after", "STORE(turn, 1 - me);", FULL)
LAMPORT = [("acquire", "after", "STORE(choosing[me], 1);", FULL), ("acquire", "before", "STORE(choosing[me], 0);", FULL)]
SZYMANSKI = [("acquire", "after", "STORE(flag[me], 1);", FULL), ("acquire", "after", "STORE(flag[me], 3);", FULL)]
POP = ("pop_bottom", "after", "STORE(bottom, b);", FULL)
FENCES = [
    ("dekker", "tso", DEKKER), ("dekker", "pso", DEKKER),
    ("burns", "tso", BURNS), ("burns", "pso", BURNS),
    ("peterson", "tso", [PETERSON]), ("peterson", "pso", [("acquire", "before", "STORE(turn, 1 - me);", STORES), PETERSON]),
    ("peterson_tso", "pso", [("acquire", "before", "STORE(turn, 1 - me);", STORES)]),
    ("lamport", "tso", LAMPORT), ("lamport", "pso", LAMPORT),
    ("szymanski", "tso", SZYMANSKI), ("szymanski", "pso", SZYMANSKI),
    ("tml", "pso", [("commit", "before", "STORE(glb, loc + 1);", STORES)]),
    ("arora", "tso", [POP]), ("arora", "pso", [("push_bottom", "before", "STORE(bottom, b + 1);", STORES), POP]),
    ("arora_tso", "pso", [("push_bottom", "before", "STORE(bottom, b + 1);", STORES)]),
]
FEATURES = list(range(1, 51))  # rows of the table in docs/store-buffer-graphs.md


def loop_stores(program, texts):
    """The lines of the stores inside the loop: the last lines that hold the texts before `release`."""
    lines = program.read_text().splitlines()
    end = next(i for i, line in enumerate(lines) if "void release" in line)
    return [max(i for i, line in enumerate(lines[:end]) if text in line) + 1 for text in texts]


def run(binary, verb, program, defines, model, flags):
    command = [binary, *verb, str(program), "--model", model, *flags, "--", *[f"-D{one}" for one in defines]]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def verdict_complaints(done, expected):
    if done.returncode != expected:
        first = (done.stdout + done.stderr).splitlines()
        yield f"expected {NAMES[expected]}, got exit code {done.returncode}: {first[0] if first else ''}"


def spin_complaints(done, kinds):
    """A row without violation has no failure of any kind; in one with a violation a loop may also fill the buffer."""
    if done.returncode != 0:
        yield f"no export: {done.stderr[:200]}"
        return
    try:
        found = spin(done.stdout, 300, megabytes=2000).kinds
    except Failure as why:
        yield str(why)
        return
    if found[:1] != kinds:
        yield f"expected {kinds or 'no failure'}, SPIN reports {found or 'none'}"


def reduction_complaints(done, program, refused):
    if refused is None:
        if "takes over" in done.stderr:
            yield "was not reduced: " + done.stderr.splitlines()[0]
        return
    places = [f"{program.name}:{line}" for line in loop_stores(program, refused)]
    message = done.stderr.split("(around")[0]
    if "SBG-001" not in done.stderr or "takes over" not in done.stderr or not all(place in message for place in places):
        yield f"expected SBG-001 for the stores at {' and '.join(places)}, and the machine: {done.stderr[:200]}"


def check(options, row, model, expected):
    """The answers of all ways for one row and model: pairs of the way and what is wrong."""
    name, program, defines, _, refused = row
    for way, flags in WAYS.items():
        more = CUT.get(name, []) if "--via" in flags else []
        done = run(options.binary, ["verify", "--time", "60"], program, defines, model, flags + more)
        yield way, [*verdict_complaints(done, expected), *(reduction_complaints(done, program, refused) if "--via" in flags else [])]
    if options.quick and name not in QUICK:
        return
    translate = ["translate", "--to", "promela", "--data-model", "ILP32"]
    for way, flags in EXPORTS.items():
        more = CUT.get(name, []) if "--via" in flags else []
        done = run(options.binary, translate, program, defines, model, flags + more)
        yield way, [*spin_complaints(done, ["assertion_failed"] if expected == VIOLATED else []),
                    *(reduction_complaints(done, program, refused) if "--via" in flags else [])]
    if name == SMALL[0]:
        done = run(options.binary, translate, program, defines, model, SMALL[1])
        yield "spin, small buffers", list(spin_complaints(done, ["bound_exceeded"]))


def whole_threads(binary):
    """Functions are inlined, with locals in memory where that makes no difference."""
    for defines, has_graph in WHOLE:
        for model in ("tso", "pso"):
            done = run(binary, ["verify"], REGRESS / "slots.c", defines, model, WAYS["reduced"])
            refused = "SBG-002" in done.stderr and "takes over" in done.stderr
            yield f"slots {' '.join(defines)}, {model}", [] if refused != has_graph else [done.stderr[:200] or "was reduced"]


def same_graph_everywhere(binary):
    """The graph of a thief is the same text with one, two and three of them."""
    for model in ("tso", "pso"):
        texts = set()
        for thieves in (1, 2, 3):
            done = run(binary, ["translate", "--to", "dot"], BENCH / "arora.c", ["OWNER=u o", f"THIEVES={thieves}", "STEALS=1", "FENCES=1"],
                       model, ["--via", "store-buffer-graph"])
            texts.add(re.search(r'^  graph \[label="thief: .*?^}$', done.stdout, re.M | re.S).group(0))
        yield f"graph of a thief, {model}", [] if len(texts) == 1 else [f"{len(texts)} different ones"]


def started(binary):
    """What is pending at the start is like stores that come first: the same final states."""
    given = [word for one in ("first:x=1", "first:y=2") for word in ("--pending-at-start", one)]
    for model in ("tso", "pso"):
        states = []
        for defines, flags in ((["STORES"], []), ([], given), ([], [*given, "--via", "store-buffer-graph"])):
            done = run(binary, ["outcomes"], REGRESS / "started.c", defines, model, flags)
            states.append(sorted(line for line in done.stdout.splitlines() if "first_read" in line))
        yield f"pending at the start, {model}", [] if states[0] and states[0] == states[1] == states[2] else [str(states)]


def fences(binary):
    """F49, F50: a smallest set of fences, each at its place; what has no graph is decided by the machine."""
    for name, model, expected in FENCES:
        program = MUTEX / f"{name}.c"
        lines = program.read_text().splitlines()
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            done = run(binary, ["verify", "--suggest-fences", "--json", str(report)], program, [], model, ["--engine", "explicit"])
            data = json.loads(report.read_text()) if report.is_file() else {}
        found = sorted((one["function"], one["where"].split()[0], lines[one["line"] - 1].strip(), re.search(r"order_(\w+)", one["fence"]).group(1))
                       for one in data.get("fences", {}).get("fences", []))
        yield f"fences of {name}, {model}", [*verdict_complaints(done, VIOLATED), *([] if found == sorted(expected) else [f"{found}, expected {expected}"])]


def notes(binary):
    """An assertion that holds wherever it is come to is not called unreached."""
    for way, flags in WAYS.items():
        done = run(binary, ["verify"], REGRESS / "early_value.c", [], "tso", flags)
        wrong = [f"says: {line}" for line in done.stdout.splitlines() if "never reached" in line]
        yield f"notes, {way}", [*verdict_complaints(done, PROVED), *wrong]


def features():
    """Every feature has a row, and what a row names in backticks is in the tree."""
    rows = re.findall(r"^\| (F[\dF, –]+) \| (.*?) \| (.*) \|$", (ROOT / "docs" / "store-buffer-graphs.md").read_text(), re.M)
    numbers = []
    text = "\n".join(file.read_text(errors="ignore") for folder in ("tests", "fuzz", "bench") for file in sorted((ROOT / folder).rglob("*"))
                     if file.suffix in (".py", ".cpp", ".h", ".yml", ".c"))
    for numbered, _, tests in rows:
        for part in numbered.split(","):
            ends = [int(end) for end in re.findall(r"\d+", part)]
            numbers += range(ends[0], ends[-1] + 1)
        names = re.findall(r"`([^`]+)`", tests)
        unknown = [name for name in names if not (ROOT / name.split()[0]).exists() and name.split()[-1] not in text]
        yield f"feature {numbered}", [] if names and not unknown else [f"names no test that there is: {unknown or tests}"]
    yield "features", [] if sorted(numbers) == FEATURES else [f"rows are missing or there twice: {sorted(numbers)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "build" / "dev" / "bin" / "heddle"))
    parser.add_argument("--only", help="rows whose name contains this")
    parser.add_argument("--quick", action="store_true", help="SPIN on some of the rows only")
    options = parser.parse_args()
    passed = failed = 0
    for row in ROWS:
        name, _, _, verdicts, refused = row
        if options.only and options.only not in name:
            continue
        for model, expected in zip(("tso", "pso"), verdicts):
            for way, found in check(options, row, model, expected):
                passed += not found
                failed += bool(found)
                for line in found:
                    print(f"{name}, {model}, {way}: {line}")
        shown = "  ".join(f"{model} {NAMES[verdict]:2}" for model, verdict in zip(("tso", "pso"), verdicts))
        print(f"{name:18} {shown}{'  (no graph: the machine)' if refused else ''}", flush=True)
    for name, found in () if options.only else (*whole_threads(options.binary), *same_graph_everywhere(options.binary), *started(options.binary),
                                                *fences(options.binary), *notes(options.binary), *features()):
        passed += not found
        failed += bool(found)
        for line in found:
            print(f"{name}: {line}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
