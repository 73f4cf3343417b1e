#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs `heddle linearizable --invariant` on the programs of examples/proofs and compares verdicts.

Lines of the programs are named by their text, so that an edit does not go unnoticed. The last line is `N passed, N failed`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "proofs"
PROVED, REFUTED, UNKNOWN, REFUSED = 0, 10, 30, 3
WORDS = {PROVED: "proved", REFUTED: "refuted", UNKNOWN: "unknown", REFUSED: "refused"}


def named(*names):
    """The operations, and the functions that specify them."""
    return ["--functions", ",".join(names), "--abstract", ",".join(f"{name}=abstract_{name}" for name in names), "--invariant", "invariant"]


# Per program: what is asked, and where operations take effect: function, text of the line, how.
PROGRAMS = {
    "counter.c": (named("increment", "get"),
                  [("increment", "while (!UPDATE(seen))", "cas"), ("get", "unsigned get(void) { return", "read")]),
    "spinlock.c": (named("acquire", "release"),
                   [("acquire", "while (TAKE())", "cas"), ("release", "atomic_store_explicit(&taken, 0", "flush")]),
    "ticket_lock.c": (named("acquire", "release"),
                      [("acquire", "    now = serving;", "read"), ("release", "  serving = now + 1;", "flush")]),
    "treiber_pool.c": (named("push", "pop"),
                       [("push", "is_done = atomic_compare_exchange_strong(&top, &seen, node + 1)", "cas"),
                        ("pop", "int pop(void) {", "read"), ("pop", "int is_done = TAKE();", "cas")]),
}
PROGRAMS["mutex_pair.c"] = (named("increment", "get"), [("increment", "count = seen + 1;", "flush"), ("get", "const unsigned seen = count;", "read")])
# What the functions of a lock of two threads and of a deque are to do, and the functions that write auxiliary variables: function, text of
# the line, how, what is called.
BURNS = ["--functions", "first_acquire,first_release,second_acquire,second_release", "--invariant", "invariant", "--abstract",
         "first_acquire=abstract_acquire,first_release=abstract_release,second_acquire=abstract_acquire,second_release=abstract_release"]
PROGRAMS["burns.c"] = (BURNS, [("first_acquire", "while (LOAD(flag2))", "read"), ("first_release", "STORE(flag1, 0);", "flush"),
                               ("second_acquire", "seen = LOOK(flag1);", "read"), ("second_release", "STORE(flag2, 0);", "flush")])
PROGRAMS["arora_deque.c"] = (named("push_bottom", "pop_bottom", "pop_top") + ["--abort", "-2"],
                             [("push_bottom", "STORE(bottom, b + 1);", "flush"), ("pop_bottom", "unsigned b = LOAD(bottom);", "read"),
                              ("pop_bottom", "unsigned old = LOAD(age);", "read"), ("pop_bottom", "int is_mine = TAKE(", "cas"),
                              ("pop_top", "int is_mine = atomic_compare_exchange_strong(", "cas")])
AUXILIARY = {"arora_deque.c": [("pop_bottom", "STORE(bottom, b);", "flush", "lowers"), ("pop_bottom", "unsigned old = LOAD(age);", "read", "looks"),
                               ("pop_bottom", "STORE(bottom, 0); // one", "flush", "clears"), ("pop_bottom", "STORE(bottom, 0); // none", "flush", "clears"),
                               ("pop_bottom", "int is_mine = TAKE(", "cas", "takes"), ("pop_bottom", "STORE(age, fresh);", "flush", "resets")]}
# Program, flags, further options, models, exit code, what must be among the obligations that fail or in the text.
# With one thread the trial sees nothing: the obligations alone have to tell.
ALONE = ["--threads", "1"]
TASKS = [
    ("counter.c", [], [], ["sc", "tso", "pso"], PROVED, "for any number of threads and calls"),
    ("counter.c", ["BROKEN"], [], ["sc"], REFUTED, "increment returns what the abstract operation returns"),
    ("counter.c", ["FALSE"], [], ["sc"], REFUTED, "the invariant 'invariant' holds after this step"),
    # The trial is too small to see it, and the proof does not go through.
    ("counter.c", ["FALSE"], ["--operations", "1"], ["sc"], UNKNOWN, "count = 2"),
    ("counter.c", ["WEAK"], [], ["sc"], UNKNOWN, "failed    "),
    ("counter.c", ["BROKEN"], ALONE, ["sc"], UNKNOWN, "increment returns what the abstract operation returns"),
    ("counter.c", ["CHEATS"], [], ["sc"], REFUSED, "OBL-006"),
    ("spinlock.c", [], [], ["sc"], PROVED, "for any number of threads and calls"),
    # The release may be delayed past its return.
    ("spinlock.c", [], [], ["tso"], REFUTED, "release has taken effect when it returns"),
    ("spinlock.c", ["FENCE"], [], ["tso", "pso"], PROVED, "for any number of threads and calls"),
    ("spinlock.c", ["BROKEN"], [], ["sc"], REFUTED, "acquire takes effect where the abstract operation can happen"),
    ("spinlock.c", ["BROKEN"], ALONE, ["sc"], UNKNOWN, "acquire takes effect where the abstract operation can happen"),
    ("ticket_lock.c", [], [], ["sc"], PROVED, "for any number of threads and calls"),
    ("ticket_lock.c", ["WEAK"], [], ["sc"], UNKNOWN, "acquire takes effect where the abstract operation can happen"),
    ("ticket_lock.c", ["BROKEN"], [], ["sc"], REFUTED, "ticket_lock.c"),
    ("ticket_lock.c", ["BROKEN"], ALONE, ["sc"], UNKNOWN, "failed    "),
    ("treiber_pool.c", [], [], ["sc"], PROVED, "for any number of threads and calls"),
    ("treiber_pool.c", ["BROKEN"], [], ["sc"], REFUTED, "treiber_pool.c"),
    ("treiber_pool.c", ["BROKEN"], ALONE, ["sc"], UNKNOWN, "failed    "),
    # Locks as memory: what only holds while nobody has the mutex is known to who has it.
    ("mutex_pair.c", [], [], ["sc", "tso", "pso"], PROVED, "for any number of threads and calls"),
    ("mutex_pair.c", ["BROKEN"], [], ["sc", "tso"], REFUTED, "mutex_pair.c"),
    ("mutex_pair.c", ["BROKEN"], ALONE, ["sc", "tso"], UNKNOWN, "failed    "),
    ("mutex_pair.c", ["EARLY"], [], ["sc", "tso"], REFUTED, "the invariant 'invariant' holds after this step"),
    ("mutex_pair.c", ["TWICE"], [], ["sc"], REFUTED, "who gives a lock back has it"),
    # F43: two threads with different roles.
    ("burns.c", [], [], ["sc", "tso", "pso"], PROVED, "for any number of threads and calls"),
    ("burns.c", ["UNFENCED"], [], ["sc"], PROVED, "for any number of threads and calls"),
    ("burns.c", ["UNFENCED"], [], ["tso"], REFUTED, "holds after this step` fails at"),
    ("burns.c", ["BROKEN"], [], ["sc"], REFUTED, "second_acquire takes effect where the abstract operation can happen"),
    ("burns.c", ["BROKEN"], ALONE, ["sc"], UNKNOWN, "second_acquire takes effect where the abstract operation can happen"),
    # F45: an auxiliary variable in a guard of the program, written by it, or known to an abstract operation.
    ("arora_deque.c", ["GUARDED"], [], ["sc"], REFUSED, "depends on the auxiliary variables"),
    ("arora_deque.c", ["WRITTEN"], [], ["sc"], REFUSED, "an operation writes what belongs to the auxiliary variables"),
    ("arora_deque.c", ["MIXED"], [], ["sc"], REFUSED, "an access to the abstract state"),
    ("arora_deque.c", ["BROKEN"], [], ["sc"], REFUTED, "arora_deque.c"),
    # F45: auxiliary variables that follow stores to memory.
    ("arora_deque.c", [], [], ["sc", "tso"], PROVED, "for any number of threads and calls"),
    ("arora_deque.c", [], [], ["pso"], REFUTED, "arora_deque.c"),
    ("arora_deque.c", ["PSO_FENCE"], [], ["pso"], PROVED, "for any number of threads and calls"),
    ("arora_deque.c", ["LATE"], [], ["tso"], REFUTED, "arora_deque.c"),
    ("arora_deque.c", ["LATE"], ALONE, ["tso"], UNKNOWN, "failed    "),
]


# A point that is too early breaks the relation between the two states in that very step, also for a thread alone; without a point an
# operation never takes effect.
EARLY = [("increment", "unsigned seen = ", "read"), ("get", "unsigned get(void) { return", "read")]
WRONG_POINTS = [("counter.c", EARLY, ALONE, REFUTED, "`the invariant 'invariant' holds after this step` fails at"),
                ("counter.c", EARLY[1:], ALONE, REFUTED, "increment has taken effect when it returns")]


# F44: the same theorem with explicit buffers, for which more has to be known; and what does not hold is refuted there as well.
BUFFERS = [("spinlock.c", ["FENCE"], ["tso", "pso"], PROVED), ("burns.c", [], ["tso", "pso"], PROVED), ("spinlock.c", [], ["tso"], REFUTED), ("burns.c", ["UNFENCED"], ["tso"], REFUTED)]


def line_of(program, function, text):
    """The first line of the function that starts so; the one after its head, where that is what is named."""
    lines = (EXAMPLES / program).read_text().splitlines()
    head = next(number for number, line in enumerate(lines, 1) if f" {function}(" in line and "{" in line)
    found = next(number for number, line in enumerate(lines, 1) if number >= head and line.strip().startswith(text.strip()))
    return found + 1 if text.endswith("{") else found


def points(program, given=None):
    options = []
    for function, text, how in given or PROGRAMS[program][1]:
        options += ["--linearization-point", f"{function}:{line_of(program, function, text)}:{how}"]
    for function, text, how, called in AUXILIARY.get(program, []):
        options += ["--auxiliary", f"{function}:{line_of(program, function, text)}:{how}={called}"]
    return options


def run(binary, program, defines, more, model, given=None):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [binary, "linearizable", str(EXAMPLES / program), *PROGRAMS[program][0], *points(program, given), *more, "--model", model,
                   "--json", str(report), "--", *(f"-D{name}" for name in defines)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
        return ran, json.loads(report.read_text()) if report.is_file() else None


def problem(ran, data, expected, says):
    """What is wrong with an answer, or None."""
    if ran.returncode != expected:
        return f"exit code {ran.returncode}, expected {expected}\n{ran.stdout}{ran.stderr}"
    if says not in ran.stdout + ran.stderr:
        return f"'{says}' is not said\n{ran.stdout}{ran.stderr}"
    if expected == REFUSED:
        return None
    if data is None or data["exit_code"] != expected or data["verdict"] != WORDS[expected]:
        return "the JSON report is missing or says something else"
    if expected == REFUTED:
        return None if data["run"]["verdict"] == "violated" else "there is no run that refutes it"
    outcomes = [one["outcome"] for one in data["obligations"]]
    if not outcomes or (expected == PROVED) != all(one == "proved" for one in outcomes):
        return f"the obligations do not fit: {outcomes}"
    if expected == UNKNOWN and not any(one.get("memory") for one in data["obligations"]):
        return "no state shows that an obligation fails"
    return None


def table():
    """What docs/proof-obligations.md says."""
    lines = ["| Program | Flags | Models | Verdict |", "|---|---|---|---|"]
    for program, defines, more, models, expected, _ in TASKS:
        flags = " ".join([f"`-D{name}`" for name in defines] + ([f"`{' '.join(more)}`"] if more else []))
        lines.append(f"| `{program}` | {flags} | {', '.join(models)} | {WORDS[expected]} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    arguments = parser.parse_args()
    passed = failed = 0
    for program, defines, more, models, expected, says in TASKS:
        for model in models:
            ran, data = run(arguments.binary, program, defines, more, model)
            wrong = problem(ran, data, expected, says)
            passed, failed = (passed + 1, failed) if wrong is None else (passed, failed + 1)
            print(f"{'ok' if wrong is None else 'FAILED'} {program} {' '.join(defines)} {model}", flush=True)
            if wrong is not None:
                print(wrong)
    for program, given, more, expected, says in WRONG_POINTS:
        ran, data = run(arguments.binary, program, [], more, "sc", given)
        wrong = problem(ran, data, expected, says)
        passed, failed = (passed + 1, failed) if wrong is None else (passed, failed + 1)
        print(f"{'ok' if wrong is None else 'FAILED'} {program} {given} {more}", flush=True)
        if wrong is not None:
            print(wrong)
    for program, defines, models, expected in BUFFERS:
        for model in models:
            ran, data = run(arguments.binary, program, defines, ["--buffers", "explicit"], model)
            wrong = problem(ran, data, expected, "")
            if wrong is None and expected == PROVED:
                graph = run(arguments.binary, program, defines, [], model)[1]
                if data["stats"]["facts"] <= graph["stats"]["facts"] or len(data["obligations"]) <= len(graph["obligations"]):
                    wrong = f"explicit buffers need no more than the graph: {data['stats']}, {graph['stats']}"
                elif not any("at most" in one["what"] for one in data["obligations"]):
                    wrong = "that the buffer is large enough is no obligation"
            passed, failed = (passed + 1, failed) if wrong is None else (passed, failed + 1)
            print(f"{'ok' if wrong is None else 'FAILED'} explicit buffers {program} {' '.join(defines)} {model}", flush=True)
            if wrong is not None:
                print(wrong)
    if table() not in (ROOT / "docs" / "proof-obligations.md").read_text():
        failed += 1
        print("FAILED docs/proof-obligations.md: expected the table\n" + table())
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
