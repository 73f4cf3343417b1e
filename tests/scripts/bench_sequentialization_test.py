# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import subprocess
import sys
import unittest

import svg_plot
from tree import Tree

RUN = pathlib.Path(svg_plot.__file__).resolve().parent.parent / "sequentialization" / "run.py"

# Peterson's algorithm, as it is: ANSWER may change the verdict.
FAKE = f"#!{sys.executable} -SE\n" + """\
import json, sys
if "--help" in sys.argv:
    print("--via NAME OPTIONS")
    sys.exit(0)
def option(name):
    return sys.argv[sys.argv.index(name) + 1]
model = option("--model")
verdict, code = ("holds_within_bounds", 1) if model == "sc" else ("violated", 10)
ANSWER
json.dump({"verdict": verdict, "stats": {"clauses": 7.0}}, open(option("--json"), "w"))
sys.exit(code)
"""


def run(answer, *arguments, options=""):
    with Tree({"fake": FAKE.replace("ANSWER", answer).replace("OPTIONS", options)}) as root:
        ran = subprocess.run([sys.executable, str(RUN), "--heddle", str(root / "fake"), "--only", "peterson", "--output",
                              str(root / "lines"), *arguments], capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in (root / "lines").read_text().splitlines()]
    return lines, ran.stdout, ran.stderr, ran.returncode


class BenchSequentialization(unittest.TestCase):
    def test_right_verdicts_and_the_table(self):
        lines, table, said, code = run("", "--quick")
        self.assertEqual(code, 0, said)
        self.assertEqual({line["method"] for line in lines},
                         {"axiomatic", "lazy, axiomatic", "lazy, bounded", "lazy, bounded, few bits"})
        row = [row for row in table.splitlines() if "| peterson | tso | lazy, bounded |" in row]
        self.assertEqual(len(row), 1)
        self.assertIn("| 0.66 |", row[0])
        self.assertIn("| 7 |", row[0])
        self.assertIn("not there yet: lazy, etso", said)

    def test_options_that_are_there_are_used(self):
        lines, _, said, code = run("", "--quick", "--models", "tso", options="--sma NAME --writes N")
        self.assertEqual(code, 0, said)
        eager = [line for line in lines if line["method"] == "eager, imu-tso"]
        self.assertEqual(len(eager), 1)
        self.assertIn("--writes", eager[0]["arguments"])
        self.assertNotIn("eager, imu-pso", {line["method"] for line in lines})

    def test_a_wrong_violation_fails(self):
        _, _, said, code = run('verdict, code = "violated", 10', "--models", "sc")
        self.assertEqual(code, 1)
        self.assertIn("FAILED: peterson sc axiomatic: expected safe, got violated", said)

    def test_a_violation_that_is_missed_fails_only_in_quick(self):
        missed = 'verdict, code = "holds_within_bounds", 1'
        self.assertEqual(run(missed, "--models", "tso")[3], 0)
        self.assertEqual(run(missed, "--models", "tso", "--quick")[3], 1)


if __name__ == "__main__":
    unittest.main()
