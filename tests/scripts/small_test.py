# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
import unittest

import small
from tree import Tree

# Works itself, then has a child work four times as long, and tells which program it was given by its exit code.
FAKE = f"#!{sys.executable} -SE\n" + """\
import subprocess, sys, time
name = sys.argv[2].rsplit("/", 1)[-1]
if name == "endless.c":
    time.sleep(60)
work = "for i in range(1000000): pass"
exec(work)
subprocess.run([sys.executable, "-SE", "-c", "\\n".join([work] * 4)])
sys.exit(10 if name == "wrong.c" else 0)
"""


def run(names, *arguments):
    """By program: the columns after its name."""
    with Tree({"fake": FAKE, **{name: "" for name in names}}) as root:
        ran = subprocess.run([sys.executable, small.__file__, *(str(root / name) for name in names), "--binary",
                              str(root / "fake"), *arguments], capture_output=True, text=True, check=True)
    return {line.split()[0]: line.split()[1:] for line in ran.stdout.splitlines()[1:]}


class Small(unittest.TestCase):
    def test_own_time_and_that_of_children_are_told_apart(self):
        rows = run(["right.c", "wrong.c"], "--runs", "2")
        self.assertEqual([rows["right.c"][0], rows["wrong.c"][0]], ["0", "10"])
        wall, own, children = (float(rows["right.c"][i]) for i in (1, 3, 5))
        self.assertGreater(own, 0)
        self.assertGreater(children, own)
        self.assertGreater(wall, 0)

    def test_a_run_that_takes_too_long_is_ended(self):
        self.assertEqual(run(["endless.c"], "--runs", "1", "--time", "0.2")["endless.c"][:3], ["took", "more", "than"])


if __name__ == "__main__":
    unittest.main()
