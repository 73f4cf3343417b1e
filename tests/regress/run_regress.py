#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the regression tests: every task file below a folder, by every tester that applies.

A test is one tester on one task and model. A task without an expectation and a program without a task are failures; a
timeout is a failure of its own kind; the last line is `N passed, N failed`. docs/testing.md explains the testers.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent.parent / "bench" / "lib")]
import limited  # noqa: E402  (found by the path above)
import regress_task  # noqa: E402
from regress_task import EXPECTATIONS, MODELS, TESTERS, VARIANTS  # noqa: E402

# What the axiomatic engine decides.
AXIOMATIC_PROPERTIES = ("reach", "overflow", "race", "memory", "robustness", "deadlock", "liveness", "cleanup")

# What it decides from axioms.
AXIOMS_PROPERTIES = ("reach", "overflow", "memory", "robustness", "deadlock", "liveness")


@dataclasses.dataclass
class Answer:
    """One run of heddle: what the process did and what its JSON says."""

    command: list
    ran: limited.Ran
    data: dict | None

    @property
    def verdict(self):
        if self.data is None and self.ran.exit_code in (2, 3):
            return "refused"
        return self.data.get("verdict") if self.data else None

    def describe(self):
        said = (self.ran.stdout + self.ran.stderr).decode(errors="replace").strip().splitlines()
        return "\n".join([f"{self.verdict}, {self.ran.status()}: {' '.join(map(str, self.command))}"] +
                         [f"  | {line}" for line in said[:12]])


@dataclasses.dataclass
class Outcome:
    """The result of one test: `problem` is None when it passed."""

    name: str
    problem: str | None


class Runner:
    def __init__(self, arguments):
        self.binary = str(arguments.binary)
        self.slow = arguments.slow
        self.testers = arguments.testers

    def heddle(self, check, words, json_flag=True):
        """Runs `heddle WORDS`; with a JSON report unless told otherwise."""
        with tempfile.TemporaryDirectory(prefix="heddle-regress-") as folder:
            report = pathlib.Path(folder) / "report.json"
            command = [self.binary, *map(str, words)]
            tail = ["--", *check.cflags] if check.cflags else []
            extra = ["--json", str(report)] if json_flag else []
            ran = limited.run(command + extra + tail, check.seconds * self.slow, memory=4096, cwd=check.file.parent)
            data = None
            if report.exists():
                try:
                    data = json.loads(report.read_text())
                except ValueError:
                    data = {"verdict": "unreadable JSON report"}
            return Answer(command + tail, ran, data)

    def verify(self, check, model, extra=(), inputs=None):
        words = ["verify", *(inputs or [p.name if p.parent == check.file.parent else p for p in check.inputs])]
        return self.heddle(check, [*words, "--model", model, "--property", check.property, *check.flags, *extra])

    def outcomes(self, check, model, extra=(), inputs=None):
        words = ["outcomes", *(inputs or [p.name if p.parent == check.file.parent else p for p in check.inputs])]
        return self.heddle(check, [*words, "--model", model, *check.flags, *extra])

    def run_check(self, check):
        """All tests of one check, in a fixed order."""
        results = []
        title = f"{check.task} [{check.property or 'outcomes'}"

        def record(model, tester, problem):
            results.append(Outcome(f"{title}, {model}] {tester}", problem))

        def wanted(tester):
            return tester in self.testers and tester not in check.skip

        answers = {model: self.verify(check, model) for model in check.models}
        has_self = wanted("self") and not is_ir(check) and set(check.models.values()) != {"refused"}
        printed = self.print_ir(check) if has_self and check.models else None
        for model, answer in answers.items():
            if wanted("verdict"):
                record(model, "verdict", verdict_problem(check, model, answer))
            if wanted("replay") and answer.verdict == "violated":
                record(model, "replay", replay_problem(answer))
            if wanted("twice"):
                record(model, "twice", twice_problem(answer, self.verify(check, model)))
            if wanted("agree") and check.models[model] != "refused":
                for name, flags in VARIANTS.items():
                    if name not in check.skip:
                        record(model, f"agree {name}", same_problem(answer, self.verify(check, model, flags)))
            if wanted("axiomatic") and check.property in AXIOMATIC_PROPERTIES and check.models[model] != "refused":
                flags = ["--engine", "axiomatic", "--time", str(5 * self.slow)]
                record(model, "axiomatic", axiomatic_problem(check, model, self.verify(check, model, flags)))
            if wanted("axioms") and model in MODELS and check.property in AXIOMS_PROPERTIES and \
                    check.models[model] != "refused" and "--via" not in check.flags:
                # The same model by its axioms, which have no machine.
                path = HERE.parent.parent / "models" / f"{model}.cat"
                flags = ["--engine", "axiomatic", "--time", str(3 * self.slow)]
                record(model, "axioms", axioms_problem(check, model, self.verify(check, path, flags)))
            if has_self and check.models[model] != "refused":
                record(model, "self", self.self_problem(check, model, answer, printed, self.verify, same_problem))
            if wanted("task") and model == "sc" and check.sv_comp and check.models[model] != "refused":
                words = ["verify", check.file.name, "--property", check.property]
                record(model, "task", same_problem(answer, self.heddle(check, words)))
        if wanted("monotone") and len(answers) > 1:
            record("all", "monotone", monotone_problem(answers))
        if check.final_states and wanted("outcomes"):
            # `cflags` select what is verified (an assertion, say); outcomes are those of the plain program.
            self.run_outcomes(dataclasses.replace(check, cflags=[]), record, wanted)
        return results

    def run_outcomes(self, check, record, wanted):
        answers = {model: self.outcomes(check, model) for model in check.final_states}
        has_self = wanted("self") and not is_ir(check)
        printed = self.print_ir(check) if has_self else None
        for model, answer in answers.items():
            record(model, "outcomes", outcomes_problem(check.final_states[model], answer))
            if wanted("agree"):
                for name, flags in VARIANTS.items():
                    if name not in check.skip:
                        record(model, f"outcomes agree {name}",
                               same_outcomes_problem(answer, self.outcomes(check, model, flags)))
            if has_self:
                record(model, "outcomes self",
                       self.self_problem(check, model, answer, printed, self.outcomes, same_outcomes_problem))
        if wanted("monotone") and len(answers) > 1:
            record("all", "outcomes monotone", outcomes_monotone_problem(answers))

    def print_ir(self, check):
        """The program's own printed `ir`, made once for all models."""
        words = ["translate", *[str(p) for p in check.inputs], "--to", "ir"]
        return self.heddle(check, [*words, *front_end_flags(check.flags, "--data-model", "--entry", "--havoc")], json_flag=False)

    def self_problem(self, check, model, answer, printed, again, compare):
        """The printed `ir` must give the same answer."""
        if printed.ran.exit_code != 0:
            return f"translate --to ir failed\n{printed.describe()}"
        with tempfile.TemporaryDirectory(prefix="heddle-regress-") as folder:
            text = pathlib.Path(folder) / "printed.hir"
            text.write_bytes(printed.ran.stdout)
            # The text names its own data model, and a function that was accepted is gone from it.
            flags = without_flags(check.flags, "--data-model", "--havoc")
            plain = dataclasses.replace(check, flags=flags, cflags=[])
            return compare(answer, again(plain, model, inputs=[text]))


def is_ir(check):
    return all(path.suffix == ".hir" for path in check.inputs)


def front_end_flags(flags, *names):
    """Those of the flags, with their values, that have one of the names."""
    return [f for i, f in enumerate(flags) if f in names or (i > 0 and flags[i - 1] in names)]


def without_flags(flags, *names):
    return [f for i, f in enumerate(flags) if f not in names and (i == 0 or flags[i - 1] not in names)]


def verdict_problem(check, model, answer):
    expected, _ = EXPECTATIONS[check.models[model]]
    if answer.ran.limit:
        return f"timeout or memory, expected {expected}\n{answer.describe()}"
    code = check.expected_exit(model)
    if code == 30 and (answer.data or {}).get("reason_kind") in ("refused", "no engine"):
        code = 3  # no verdict, since no engine takes the program
    if answer.verdict != expected or answer.ran.exit_code != code:
        return f"expected {expected} with exit code {code}, got {answer.describe()}"
    if answer.data is not None and answer.data.get("exit_code", code) != code:
        return f"the JSON report says exit code {answer.data['exit_code']}, the process ended with {code}"
    said = (answer.ran.stdout + answer.ran.stderr).decode(errors="replace")
    for text in check.expect_text.get(model, []):
        if text not in said:
            return f"expected the text {text!r} in the output of {answer.describe()}"
    return None


def replay_problem(answer):
    violation = (answer.data or {}).get("violation") or {}
    if violation.get("replayed") is not True:
        return f"the violation was not replayed by the checker: {answer.describe()}"
    return None


def same_problem(first, second):
    """The same question asked another way must get the same verdict."""
    if second.ran.limit:
        return f"timeout or memory: {second.describe()}"
    if first.verdict is None or first.verdict != second.verdict or first.ran.exit_code != second.ran.exit_code:
        return f"the answers differ\n{first.describe()}\n{second.describe()}"
    if second.verdict == "violated":
        return replay_problem(second)
    return None


def axiomatic_problem(check, model, answer):
    """The axiomatic engine may know less (its bounds, its time), but must not contradict what is expected."""
    if answer.ran.limit:
        return f"timeout or memory: {answer.describe()}"
    expected, _ = EXPECTATIONS[check.models[model]]
    allowed = {"violated": ["violated", "unknown"], "proved": ["proved", "holds_within_bounds", "unknown"]}
    if answer.verdict not in allowed.get(expected, [answer.verdict]) or answer.ran.exit_code == 70:
        return f"expected {expected}\n{answer.describe()}"
    return replay_problem(answer) if answer.verdict == "violated" else None


def axioms_problem(check, model, answer):
    """As above; loops that wait by writing are only unrolled, so that bounds may hide that they never end."""
    if check.property == "liveness" and answer.verdict == "holds_within_bounds":
        return None
    return axiomatic_problem(check, model, answer)


def without_stats(data):
    """A report without what may differ between two runs: times and memory live in `stats` only."""
    return {key: value for key, value in (data or {}).items() if key != "stats"}


def twice_problem(first, second):
    if first.ran.limit or second.ran.limit:
        return f"timeout or memory: {second.describe()}"
    if first.ran.stdout != second.ran.stdout:
        return f"two runs printed different bytes\n{first.describe()}\n{second.describe()}"
    if without_stats(first.data) != without_stats(second.data):
        return f"two runs gave different JSON reports\n{first.describe()}"
    return None


def monotone_problem(answers):
    """Unsafe under a model: unsafe under each weaker one. Proved under a model: not unsafe under a stronger one."""
    ordered = [(m, answers[m].verdict) for m in MODELS if m in answers]
    for i, (strong, verdict) in enumerate(ordered):
        for weak, other in ordered[i + 1:]:
            if verdict == "violated" and other in ("proved", "holds_within_bounds"):
                return f"violated under {strong}, but {other} under the weaker {weak}"
    return None


def states_of(answer):
    """The final states as a set of texts, or None when there is no complete list."""
    if answer.data is None or not isinstance(answer.data.get("outcomes"), list):
        return None
    return {json.dumps(state, sort_keys=True) for state in answer.data["outcomes"]}


def outcomes_problem(expected, answer):
    states = states_of(answer)
    if answer.ran.limit or states is None or answer.data.get("complete") is not True:
        return f"no complete list of final states: {answer.describe()}"
    if isinstance(expected, int):
        if len(states) != expected:
            return f"expected {expected} final states, got {len(states)}: {answer.describe()}"
        return None
    wanted = {json.dumps(state, sort_keys=True) for state in expected}
    if states != wanted:
        return f"missing: {sorted(wanted - states)}; not expected: {sorted(states - wanted)}\n{answer.describe()}"
    return None


def same_outcomes_problem(first, second):
    if second.ran.limit:
        return f"timeout or memory: {second.describe()}"
    if states_of(first) is None or states_of(first) != states_of(second):
        return f"the final states differ\n{first.describe()}\n{second.describe()}"
    return None


def outcomes_monotone_problem(answers):
    ordered = [(m, states_of(answers[m])) for m in MODELS if m in answers]
    for (strong, few), (weak, many) in zip(ordered, ordered[1:]):
        if few is None or many is None:
            return f"no list of final states under {strong} or {weak}"
        if not few <= many:
            return f"final states of {strong} missing under the weaker {weak}: {sorted(few - many)}"
    return None


def collect(root, arguments):
    """The checks to run, and the failures found while reading."""
    checks, problems, claimed = [], [], set()
    for file in sorted(root.rglob("*.yml")):
        name = file.relative_to(root).with_suffix("").as_posix()
        try:
            found = regress_task.read_task(file, root)
        except regress_task.BadTask as error:
            problems.append(Outcome(f"{name} expectation", str(error)))
            continue
        for check in found:
            claimed.update(path.resolve() for path in check.inputs)
        checks += found
    bad = {problem.name for problem in problems}
    for path in regress_task.unclaimed_inputs(root, claimed):
        name = path.relative_to(root).as_posix()
        if f"{name.rsplit('.', 1)[0]} expectation" not in bad:
            problems.append(Outcome(f"{name} expectation", "no task file names this program"))
    if arguments.filter:
        checks = [check for check in checks if arguments.filter in check.task]
        problems = [problem for problem in problems if arguments.filter in problem.name]
    if arguments.only_ir:
        checks = [check for check in checks if is_ir(check)]
    return [check for check in checks if check.level <= arguments.level], problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=HERE)
    parser.add_argument("--binary", type=pathlib.Path, default=HERE.parent.parent / "build" / "dev" / "bin" / "heddle")
    parser.add_argument("--level", type=int, default=1, help="run the tasks up to this level (default 1)")
    parser.add_argument("--filter", help="only tasks whose path contains this text")
    parser.add_argument("--only-ir", action="store_true", help="only tasks in the ir language (a build without LLVM)")
    parser.add_argument("--testers", type=lambda text: text.split(","), default=TESTERS, help="comma-separated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--slow", type=float, default=1.0, help="factor on the time limits (sanitizer builds)")
    parser.add_argument("--verbose", action="store_true", help="print passed tests too")
    arguments = parser.parse_args()
    arguments.root = arguments.root.resolve()
    arguments.binary = arguments.binary.resolve()
    for tester in arguments.testers:
        if tester not in TESTERS:
            parser.error(f"no tester named {tester}; there are {', '.join(TESTERS)}")
    if not arguments.binary.is_file():
        print(f"{arguments.binary} does not exist; build it first", file=sys.stderr)
        return 2

    def show(outcomes):
        for result in outcomes:
            if result.problem is not None:
                print(f"FAILED {result.name}: {result.problem}", flush=True)
            elif arguments.verbose:
                print(f"passed {result.name}", flush=True)

    checks, results = collect(arguments.root, arguments)
    show(results)
    runner = Runner(arguments)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for outcomes in pool.map(runner.run_check, checks):
            show(outcomes)
            results += outcomes
    failed = sum(result.problem is not None for result in results)
    if not results:
        print("no test was run")
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
