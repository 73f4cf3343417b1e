# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import json
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import svg_plot
from tree import Tree

RUN = pathlib.Path(svg_plot.__file__).resolve().parent.parent / "axiomatic" / "run.py"
SVG = "{http://www.w3.org/2000/svg}"

# The ticket lock, as it is: ANSWER may change the verdict, given model, size and variant.
FAKE = f"#!{sys.executable} -SE\n" + """\
import json, sys
def option(name):
    return sys.argv[sys.argv.index(name) + 1]
model, broken = option("--model"), "-DBROKEN" in sys.argv
threads, rounds = [int(a.split("=")[1]) for a in sys.argv if a.startswith(("-DTHREADS=", "-DROUNDS="))]
if model == "rc11":
    sys.stdout.write("UNKNOWN: no engine takes this task (explicit: the model 'rc11' has no operational machine)")
    sys.exit(3)
verdict, code = ("violated", 10) if broken and model == "pso" else ("proved", 0)
ANSWER
json.dump({"verdict": verdict}, open(option("--json"), "w"))
sys.exit(code)
"""


def run(answer, *arguments, models="pso"):
    """The lines, the standard error, the exit code and the pictures for a verifier that answers so."""
    with Tree({"fake": FAKE.replace("ANSWER", answer)}) as root:
        ran = subprocess.run([sys.executable, str(RUN), "--heddle", str(root / "fake"), "--only", "ticket", "--engines",
                              "axiomatic", "--models", models, "--plots", str(root / "plots"), *arguments],
                             capture_output=True, text=True, check=False)
        pictures = {path.name: path.read_text() for path in (root / "plots").glob("*.svg")}
    return [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr, ran.returncode, pictures


class BenchAxiomatic(unittest.TestCase):
    def test_right_verdicts_and_pictures(self):
        lines, said, code, pictures = run("", models="tso,pso")
        self.assertEqual(code, 0, said)
        self.assertEqual({line["agreement"] for line in lines}, {"correct"})
        self.assertIn((6, 1), {(line["threads"], line["rounds"]) for line in lines})
        self.assertIn((2, 6), {(line["threads"], line["rounds"]) for line in lines})
        for name in ("threads.svg", "rounds.svg"):
            picture = xml.etree.ElementTree.fromstring(pictures[name])
            # Two programs under two models, a line each, and a mark for each of five or six sizes.
            self.assertEqual(len(picture.findall(f".//{SVG}polyline")), 4)
            self.assertEqual(len(picture.findall(f".//{SVG}circle")), 20 if name == "threads.svg" else 24)

    def test_a_model_that_is_missing_is_said_once(self):
        lines, said, code, _ = run("", "--quick", models="sc,rc11")
        self.assertEqual((said.count("not supported: --engine axiomatic --model rc11"), code), (1, 0))
        self.assertEqual({line["model"] for line in lines}, {"sc"})

    def test_a_wrong_proof_fails(self):
        _, said, code, _ = run('verdict, code = "proved", 0')
        self.assertEqual(code, 1)
        self.assertIn("WRONG ticket-broken pso axiomatic 2x1: expected violated, got proved", said)

    def test_a_wrong_violation_fails(self):
        _, said, code, _ = run('if threads == 3: verdict, code = "violated", 10', models="sc")
        self.assertEqual(code, 1)
        self.assertIn("WRONG ticket sc axiomatic 3x1: expected safe, got violated", said)

    def test_a_crash_fails(self):
        self.assertEqual(run("code = 70", "--quick")[2], 1)

    def test_after_a_timeout_larger_sizes_are_left_out(self):
        lines, said, code, pictures = run('if threads == 3: verdict, code = "unknown", 31')
        self.assertEqual(code, 0, said)
        self.assertEqual({line["agreement"] for line in lines if line["threads"] == 3}, {"timeout"})
        self.assertEqual(max(line["threads"] for line in lines), 3)
        self.assertIn("not 3x1: timeout", said)
        self.assertIn('fill="white" stroke=', pictures["threads.svg"])

    def test_table_and_pictures_of_an_earlier_run(self):
        lines, _, _, pictures = run('if threads == 3: verdict, code = "unknown", 31')
        text = "".join(json.dumps(line) + "\n" for line in lines)
        with Tree({"lines": text, "none": ""}) as root:
            def again(earlier):
                return subprocess.run([sys.executable, str(RUN), "--from", str(root / earlier), "--plots", str(root / "plots"),
                                       "--markdown", str(root / "table.md")], check=False).returncode
            self.assertEqual(again("lines"), 0)
            table = (root / "table.md").read_text()
            self.assertEqual((root / "plots" / "rounds.svg").read_text(), pictures["rounds.svg"])
            self.assertEqual(again("none"), 1)
        row = next(row for row in table.splitlines() if row.startswith("| ticket-broken | pso |"))
        self.assertRegex(row, r"\| 6/7 \| 2x6 violated [\d.]+ \| 3x1: timeout [\d.]+ \|$")

    def test_quick_wants_every_violation(self):
        lines, _, code, _ = run("", "--quick")
        self.assertEqual(({(line["threads"], line["rounds"]) for line in lines}, code), ({(2, 1)}, 0))
        self.assertEqual(run('if broken: verdict, code = "unknown", 30', "--quick")[2], 1)
        self.assertEqual(run('if not broken: verdict, code = "holds_within_bounds", 1', "--quick")[2], 0)


if __name__ == "__main__":
    unittest.main()
