# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""scripts/setup.sh on made-up systems: a folder of fake tools is the whole PATH."""
import contextlib
import os
import pathlib
import pty
import shutil
import subprocess
import unittest

from tree import Tree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REAL = ["awk", "cat", "cut", "dirname", "grep", "mktemp", "rm", "sed", "sh", "env", "touch"]
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
    "apt-get": """\
        #!/bin/sh
        case $* in
        *--print-uris*) printf "'http://deb.example/a.deb' a.deb 1500000 SHA256:0\\n'http://deb.example/b.deb' b.deb 700000 SHA256:1\\n"; exit 0 ;;
        esac
        echo noise of apt
        echo "apt-get $*" >>"$LOG"
        exit ${APT_EXIT:-0}
        """.replace("        ", ""),
    "id": '#!/bin/sh\necho "${ID:-0}"\n',
    "sudo": '#!/bin/sh\necho "sudo" >>"$LOG"\nexec "$@"\n',
}


def run(stage="run", without=(), types=None, **environment):
    """
    The result of setup.sh and what was done, on a system with these tools and packages; at a terminal where somebody types
    `types`, without one if it is None.
    """
    with Tree({"scripts/packages.txt": PACKAGES, **{f"bin/{k}": v for k, v in FAKES.items() if k not in without}}) as root:
        shutil.copy(ROOT / "scripts" / "setup.sh", root / "scripts" / "setup.sh")
        for tool in REAL:
            os.symlink(shutil.which(tool), root / "bin" / tool)
        (root / "log").touch()
        (root / "tmp").mkdir()
        defaults = {"INSTALLED": "", "AVAILABLE": "one two rare tester", "LOG": str(root / "log"), "PATH": str(root / "bin"),
                    "TMPDIR": str(root / "tmp")}
        command = [root / "bin" / "sh", root / "scripts" / "setup.sh", stage]
        settings = {"text": True, "env": {**defaults, **environment}}
        if types is None:
            ran = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL, **settings)
            code, out, text = ran.returncode, ran.stdout, ran.stderr
        else:
            ours, theirs = pty.openpty()
            os.write(ours, types.encode())
            started = subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, **settings)
            out = started.communicate(timeout=60)[0]
            code, text = started.returncode, ""
            os.set_blocking(ours, False)
            with contextlib.suppress(BlockingIOError):
                while part := os.read(ours, 1 << 16):
                    text += part.decode()
            os.close(theirs)
            os.close(ours)
        assert out == "", "the standard output must stay clean"
        assert not list((root / "tmp").iterdir()), "nothing is left behind"
        return code, (root / "log").read_text().splitlines(), text


INSTALL = "apt-get install -y --no-install-recommends "


class Setup(unittest.TestCase):
    def test_nothing_is_done_when_all_is_there(self):
        self.assertEqual(run(INSTALLED="one two rare"), (0, [], ""))

    def test_missing_packages_are_named_and_installed(self):
        code, done, text = run(INSTALLED="two")
        self.assertEqual((code, done), (0, [INSTALL + "one rare"]))
        self.assertIn("2 packages are missing: one rare\n", text)
        self.assertIn("(3 MB to fetch)", text)
        self.assertIn("minutes", text)

    def test_the_tests_need_more(self):
        self.assertEqual(run("test", INSTALLED="one two rare")[:2], (0, [INSTALL + "tester"]))

    def test_sudo_when_not_root(self):
        code, done, text = run(INSTALLED="two rare", ID="1000")
        self.assertEqual((code, done), (0, ["sudo", INSTALL + "one"]))
        self.assertIn("by sudo", text)

    def test_apt_is_heard_only_where_it_fails(self):
        self.assertNotIn("noise of apt", run()[2])
        self.assertIn("noise of apt", run(APT_EXIT="100")[2])

    def test_a_terminal_is_asked(self):
        for types in ("\n", "y\n", "Yes\n"):
            code, done, text = run(types=types)
            self.assertEqual((code, done), (0, [INSTALL + "one two rare"]))
            self.assertIn("[Y/n]", text)
        for types in ("n\n", "what\n", "\x04"):
            code, done, text = run(types=types)
            self.assertEqual((code, done), (3, []))
            self.assertIn("apt-get install one two rare", text)

    def test_without_a_terminal_nothing_is_asked(self):
        code, done, text = run()
        self.assertEqual((code, done), (0, [INSTALL + "one two rare"]))
        self.assertNotIn("?", text)

    def test_a_terminal_is_not_asked_where_nothing_is_missing(self):
        self.assertEqual(run(INSTALLED="one two rare", types="n\n")[0], 0)

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
