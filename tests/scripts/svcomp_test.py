# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import json
import subprocess
import sys
import unittest

import svcomp
from tree import Tree

# Answers by the name of the task: `proved_0.yml` gives that verdict and exit code.
FAKE = f"#!{sys.executable} -SE\n" + """\
import json, os, signal, sys, time
name = os.path.basename(sys.argv[2]).split(".")[0].split("-")[0]
verdict, code = name.rsplit("_", 1)
if verdict == "sleep":
    time.sleep(60)
if verdict == "signal":
    os.kill(os.getpid(), signal.SIGSEGV)
if verdict != "refused":
    trap = {"file": "x.i", "line": 7, "what": "floating point"}
    traps = {"traps": [trap, trap], "traps_reachable": [trap] if verdict == "violated" else []}
    json.dump({"verdict": verdict, **traps}, open(sys.argv[sys.argv.index("--json") + 1], "w"))
sys.exit(int(code))
"""


def task(expected):
    return f"input_files: x.i\nproperties:\n  - property_file: ../p/unreach-call.prp\n    expected_verdict: {expected}\n"


def run(names, *arguments):
    """The lines, the summary and the exit code for tasks named VERDICT_CODE-EXPECTED."""
    files = {f"tasks/{name}.yml": task(name.split("-")[1]) for name in names}
    with Tree({"fake": FAKE, **files}) as root:
        ran = subprocess.run([sys.executable, svcomp.__file__, str(root / "tasks"), "--binary", str(root / "fake"),
                              *arguments], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    return {line["task"]: line["agreement"] for line in lines}, ran.stderr, ran.returncode


class SvComp(unittest.TestCase):
    def test_agreement(self):
        lines, summary, code = run(["proved_0-true", "violated_10-false", "unknown_30-true", "unknown_31-true",
                                    "refused_3-true", "holds_within_bounds_1-false"])
        self.assertEqual(lines, {"proved_0-true.yml": "correct", "violated_10-false.yml": "correct",
                                 "unknown_30-true.yml": "unknown", "unknown_31-true.yml": "timeout",
                                 "refused_3-true.yml": "refused", "holds_within_bounds_1-false.yml": "bounded"})
        self.assertEqual(code, 0, summary)

    def test_a_wrong_verdict_comes_first_and_fails(self):
        lines, summary, code = run(["refused_3-true", "proved_0-false", "violated_10-true"])
        self.assertEqual(lines["proved_0-false.yml"], "wrong")
        self.assertEqual(lines["violated_10-true.yml"], "wrong")
        self.assertTrue(summary.startswith("WRONG"), summary)
        self.assertEqual(code, 1)

    def test_crashes_fail(self):
        for name in ("signal_0-true", "unknown_70-true", "proved_10-false", "proved_99-true"):
            lines, _, code = run([name])
            self.assertEqual((lines[f"{name}.yml"], code), ("crash", 1), name)

    def test_a_run_that_ignores_its_limit_is_ended(self):
        self.assertEqual(run(["sleep_0-true"], "--time", "0.1")[0], {"sleep_0-true.yml": "timeout"})

    def test_import_only(self):
        lines, summary, code = run(["proved_0-true", "refused_3-true", "violated_0-false"], "--import-only")
        self.assertEqual(sorted(lines.values()), ["module", "module", "refused"])
        self.assertIn("TRAP violated_0-false.yml: x.i:7: floating point", summary)
        self.assertIn("1 (33.3 %) without a reachable trap, 1 with one", summary)
        self.assertEqual(code, 0)


if __name__ == "__main__":
    unittest.main()
