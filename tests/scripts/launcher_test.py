# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The launcher on a small tree with a fake build: when it builds, what reaches the standard output, symbolic links."""
import os
import pathlib
import shutil
import subprocess
import time
import unittest

from tree import Tree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = {
    "src/a/a.cpp": "int a;\n",
    "cmake/x.cmake": "\n",
    "runtime/r.c": "\n",
    "CMakeLists.txt": "\n",
    "CMakePresets.json": "{}\n",
    "scripts/setup.sh": "#!/bin/sh\nexit ${FAKE_SETUP:-0}\n",
    "scripts/build.sh": """\
        #!/bin/sh
        cd "$(dirname "$0")/.." && mkdir -p build/release/bin
        echo built >> builds
        printf '#!/bin/sh\\necho "$@"\\nexit 7\\n' > build/release/bin/heddle
        chmod +x build/release/bin/heddle
        touch build/release/.built
        """.replace("        ", ""),
}


class Launcher(unittest.TestCase):
    def setUp(self):
        self.tree = Tree(FILES)
        self.root = self.tree.__enter__()
        shutil.copy(ROOT / "heddle", self.root / "heddle")

    def tearDown(self):
        self.tree.__exit__()

    def start(self, *words, program=None, **environment):
        return subprocess.run([str(program or self.root / "heddle"), *words], capture_output=True, text=True, check=False,
                              env={**os.environ, **environment}, cwd="/")

    def builds(self):
        path = self.root / "builds"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def age(self):
        """Makes every source older than the stamp."""
        old = time.time() - 100
        for path in [self.root, *self.root.rglob("*")]:
            if "build" not in path.parts[-1] and path.name != ".built":
                os.utime(path, (old, old))

    def test_it_builds_once_and_passes_words_and_exit_code_on(self):
        self.age()
        first = self.start("verify", "a b")
        self.assertEqual((first.stdout, first.returncode), ("verify a b\n", 7))
        self.assertRegex(first.stderr, r"first start, building build/release; about [1-8] min, once\n")
        second = self.start("x")
        self.assertEqual((second.stdout, second.stderr, self.builds()), ("x\n", "", 1))

    def test_a_changed_or_new_source_builds_again(self):
        self.age()
        self.start()
        later = time.time() + 100
        os.utime(self.root / "src/a/a.cpp", (later, later))
        self.assertIn("sources changed", self.start().stderr)
        self.assertEqual(self.builds(), 2)
        self.assertEqual(self.start(HEDDLE_NO_BUILD="1").stderr, "")
        self.assertEqual(self.builds(), 2)

    def test_a_removed_source_builds_again(self):
        self.age()
        self.start()
        (self.root / "src/a/a.cpp").unlink()
        later = time.time() + 1
        os.utime(self.root / "src/a", (later, later))
        self.start()
        self.assertEqual(self.builds(), 2)

    def test_it_works_through_a_symbolic_link(self):
        link = self.root / "link"
        link.symlink_to(self.root / "heddle")
        self.assertEqual(self.start("x", program=link).stdout, "x\n")

    def test_missing_packages_stop_it(self):
        result = self.start(FAKE_SETUP="3")
        self.assertEqual((result.returncode, result.stdout, self.builds()), (3, "", 0))


if __name__ == "__main__":
    unittest.main()
