# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""scripts/setup.sh on made-up systems: a folder of fake tools is the whole PATH."""
import os
import pathlib
import shutil
import subprocess
import unittest

from tree import Tree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REAL = ["awk", "cut", "dirname", "grep", "sed", "sh", "env", "touch"]
PACKAGES = """\
# a comment
one     run   why
two     run   why
rare    run?  why
tester  test  why
"""
# INSTALLED and AVAILABLE list package names; what is done is written to the file LOG names.
FAKES = {
    "dpkg-query": '#!/bin/sh\nfor p; do :; done\ncase " $INSTALLED " in *" $p "*) printf "ii ";; *) exit 1;; esac\n',
    "apt-cache": '#!/bin/sh\nfor p; do :; done\ncase " $AVAILABLE " in *" $p "*) ;; *) exit 100;; esac\n',
    "apt-get": '#!/bin/sh\necho noise of apt\necho "apt-get $*" >>"$LOG"\nexit ${APT_EXIT:-0}\n',
    "id": '#!/bin/sh\necho "${ID:-0}"\n',
    "sudo": '#!/bin/sh\necho "sudo" >>"$LOG"\nexec "$@"\n',
}


def run(stage="run", without=(), **environment):
    """The result of setup.sh and what was done, on a system with these tools and packages."""
    with Tree({"scripts/packages.txt": PACKAGES, **{f"bin/{k}": v for k, v in FAKES.items() if k not in without}}) as root:
        shutil.copy(ROOT / "scripts" / "setup.sh", root / "scripts" / "setup.sh")
        for tool in REAL:
            os.symlink(shutil.which(tool), root / "bin" / tool)
        (root / "log").touch()
        defaults = {"INSTALLED": "", "AVAILABLE": "one two rare tester", "LOG": str(root / "log"), "PATH": str(root / "bin")}
        ran = subprocess.run([root / "bin" / "sh", root / "scripts" / "setup.sh", stage], capture_output=True, text=True,
                             check=False, env={**defaults, **environment})
        assert ran.stdout == "", "the standard output must stay clean"
        return ran.returncode, (root / "log").read_text().splitlines(), ran.stderr


INSTALL = "apt-get install -y --no-install-recommends "


class Setup(unittest.TestCase):
    def test_nothing_is_done_when_all_is_there(self):
        self.assertEqual(run(INSTALLED="one two rare"), (0, [], ""))

    def test_missing_packages_are_named_and_installed(self):
        code, done, text = run(INSTALLED="two")
        self.assertEqual((code, done), (0, [INSTALL + "one rare"]))
        self.assertIn("installing with apt-get: one rare", text)

    def test_the_tests_need_more(self):
        self.assertEqual(run("test", INSTALLED="one two rare")[:2], (0, [INSTALL + "tester"]))

    def test_sudo_when_not_root(self):
        code, done, text = run(INSTALLED="two rare", ID="1000")
        self.assertEqual((code, done), (0, ["sudo", INSTALL + "one"]))
        self.assertIn("by sudo", text)

    def test_neither_root_nor_sudo(self):
        code, done, text = run(without=["sudo"], ID="1000")
        self.assertEqual((code, done), (3, []))
        self.assertIn("apt-get install one two", text)

    def test_an_unknown_package_refreshes_the_lists_and_then_stops(self):
        code, done, text = run(AVAILABLE="two")
        self.assertEqual((code, done), (3, ["apt-get update"]))
        self.assertIn("no package one", text)

    def test_an_optional_package_may_be_unknown(self):
        code, done, _ = run(AVAILABLE="one two")
        self.assertEqual((code, done[-1]), (0, INSTALL + "one two"))
        self.assertEqual(run(INSTALLED="one two", AVAILABLE="")[:2], (0, []))

    def test_a_failed_installation(self):
        self.assertEqual(run(APT_EXIT="100")[0], 3)

    def test_another_system_is_told_what_is_needed(self):
        code, done, text = run(without=["apt-get"])
        self.assertEqual((code, done), (3, []))
        for word in ("clang-19", "one", "two", "rare"):
            self.assertIn(word, text)
        self.assertNotIn("tester", text)


if __name__ == "__main__":
    unittest.main()
