# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The regression runner on a fake heddle whose answers stand in the program's own text."""
import re
import subprocess
import sys
import unittest

import run_regress
from tree import Tree

# A line `sc: violated 10` of the program answers --model sc; `sc --no-reduction: …` answers that variant.
FAKE = f"#!{sys.executable} -SE\n" + """\
import json, os, sys, time
words = sys.argv[1:]
text = open(words[1]).read()
if words[0] == "translate":
    print(text, end="")
    sys.exit(0)
if words[1].endswith(".yml"):
    text = open("p.c").read()
model = words[words.index("--model") + 1] if "--model" in words else "sc"
model = os.path.basename(model).removesuffix(".cat")
answers = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
variants = [w for w in ("--no-reduction", "--no-symmetry", "--alias", "--search", "--no-merge", "--engine") if w in words]
key = model + (" " + variants[0] if variants and model + " " + variants[0] in answers else "")
if words[1].endswith(".hir") and model + " hir" in answers:
    key = model + " hir"
if words[0] == "outcomes":
    states = answers["outcomes " + key].split()
    json.dump({"outcomes": states, "complete": True}, open(words[words.index("--json") + 1], "w"))
    sys.exit(0)
verdict, code, *rest = answers[key].split()
if verdict == "sleep":
    time.sleep(60)
if "random" in rest:
    print(os.getpid())
print("the verdict is " + verdict)
report = {"verdict": verdict, "exit_code": int(code), "stats": {"time": time.time()}}
if verdict == "violated":
    report["violation"] = {"kind": "assertion", "replayed": "unreplayed" not in rest}
json.dump(report, open(words[words.index("--json") + 1], "w"))
sys.exit(int(code))
"""
TASK = """\
format_version: '2.0'
input_files: p.c
properties:
  - {property_file: unreach-call.prp, expected_verdict: %s}
heddle:
  models: {%s}
  why: soundness
%s"""


def run(program, models="sc: true", sc="true", more="", *arguments, task=None):
    """The report of the runner: (passed, failed, text)."""
    files = {"fake": FAKE, "tasks/p.c": program}
    if task != "":
        files["tasks/p.yml"] = task or TASK % (sc, models, more)
    with Tree(files) as root:
        ran = subprocess.run([sys.executable, run_regress.__file__, str(root / "tasks"), "--binary", str(root / "fake"),
                              "--jobs", "1", *arguments], capture_output=True, text=True, check=False)
    last = re.fullmatch(r"(\d+) passed, (\d+) failed", ran.stdout.splitlines()[-1])
    assert last, ran.stdout + ran.stderr
    passed, failed = int(last[1]), int(last[2])
    assert ran.returncode == (1 if failed or passed == 0 else 0), ran.stdout
    return passed, failed, ran.stdout


class Regress(unittest.TestCase):
    def fails(self, text, result):
        self.assertGreater(result[1], 0, result[2])
        self.assertIn(text, result[2])

    def test_a_right_verdict_passes_every_tester(self):
        passed, failed, text = run("sc: proved 0\ntso: violated 10\n", "sc: true, tso: false")
        self.assertEqual(failed, 0, text)
        # verdict, twice, five variants, axiomatic, axioms and self for each model; replay for tso; task for sc; monotone.
        self.assertEqual(passed, 2 * 10 + 1 + 1 + 1)

    def test_a_wrong_verdict(self):
        self.fails("expected proved with exit code 0", run("sc: violated 10\n"))
        self.fails("expected violated with exit code 10", run("sc: proved 0\n", "sc: false", "false"))

    def test_a_wrong_exit_code(self):
        self.fails("expected violated with exit code 10", run("sc: violated 11\n", "sc: false", "false"))

    def test_bounded_is_not_proved(self):
        self.fails("expected proved", run("sc: holds_within_bounds 1\n"))

    def test_an_unreplayed_violation(self):
        self.fails("not replayed", run("sc: violated 10 unreplayed\n", "sc: false", "false"))

    def test_a_reduction_that_changes_the_verdict(self):
        self.fails("agree no-reduction", run("sc: proved 0\nsc --no-reduction: violated 10\n"))

    def test_an_axiomatic_engine_that_contradicts(self):
        self.fails("axiomatic: expected proved", run("sc: proved 0\nsc --engine: violated 10\n"))
        self.fails("axiomatic: expected violated", run("sc: violated 10\nsc --engine: holds_within_bounds 1\n", "sc: false", "false"))
        self.assertEqual(run("sc: proved 0\nsc --engine: holds_within_bounds 1\n")[1], 0)
        self.assertEqual(run("sc: violated 10\nsc --engine: unknown 30\n", "sc: false", "false")[1], 0)
        self.fails("axioms: expected proved", run("sc: proved 0\nsc --engine: violated 10\n"))

    def test_a_weaker_model_that_shows_less(self):
        self.fails("but proved under the weaker pso",
                   run("tso: violated 10\npso: proved 0\n", "tso: false, pso: true"))

    def test_two_runs_that_differ(self):
        self.fails("different bytes", run("sc: proved 0 random\n"))

    def test_printed_ir_that_means_something_else(self):
        self.fails("self: the answers differ", run("sc: proved 0\nsc hir: violated 10\n"))

    def test_a_timeout_is_a_failure_even_where_unknown_is_expected(self):
        self.fails("timeout", run("sc: sleep 30\n", "sc: unknown", "true", "", "--slow", "0.02", "--testers", "verdict"))

    def test_outcomes(self):
        more = "  final_states: {sc: 3, tso: 4}\n"
        program = "sc: proved 0\noutcomes sc: 01 10 11\noutcomes tso: 00 01 10 11\n"
        self.assertEqual(run(program, more=more)[1], 0)
        self.fails("expected 3 final states, got 2", run(program.replace("01 10 11\no", "01 10\no"), more=more))
        self.fails("missing under the weaker tso", run(program.replace("sc: 01 10 11", "sc: 01 10 22"), more=more))

    def test_expected_text(self):
        self.assertEqual(run("sc: proved 0\n", more="  expect_text: the verdict\n")[1], 0)
        self.fails("expected the text", run("sc: proved 0\n", more="  expect_text: {sc: [buffer]}\n"))

    def test_no_expectation_is_a_failure(self):
        self.fails("no heddle block", run("sc: proved 0\n", task="input_files: p.c\n"))
        self.fails("no expectation", run("sc: proved 0\n", task="input_files: p.c\nheddle: {property: reach, why: soundness}\n"))
        self.fails("no `why`", run("sc: proved 0\n", task="input_files: p.c\nheddle: {property: reach, models: {sc: true}}\n"))
        self.fails("no task file names this program", run("sc: proved 0\n", task=""))
        self.fails("does not exist", run("x\n", task="input_files: q.c\nheddle: {}\n"))
        self.fails("unknown field", run("sc: proved 0\n", more="  modles: {}\n"))

    def test_contradicting_expectations(self):
        self.fails("expected_verdict says False", run("sc: proved 0\n", "sc: true", "false"))

    def test_a_run_without_tests_fails(self):
        self.assertEqual(run("sc: proved 0\n", "sc: true", "true", "", "--filter", "nothing")[:2], (0, 0))


if __name__ == "__main__":
    unittest.main()
