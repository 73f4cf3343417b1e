# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import sys
import unittest

import check_docs
from tree import Tree

# Prints its arguments, one per line, and ends with the exit code named by --exit.
FAKE = f"#!{sys.executable} -SE\n" + """\
import sys
for word in sys.argv[1:]:
    print(word)
sys.exit(int(sys.argv[sys.argv.index("--exit") + 1]) if "--exit" in sys.argv else 0)
"""


def page(*lines):
    return "\n".join(["Text.", "```sh", *lines, "```", ""])


def problems(*lines):
    with Tree({"fake": FAKE, "page.md": page(*lines)}) as root:
        examples = check_docs.examples_of("page.md", (root / "page.md").read_text())
        return [check_docs.problem_of(example, root / "fake", root) for example in examples]


class CheckDocs(unittest.TestCase):
    def test_equal_output_passes(self):
        self.assertEqual(problems("$ ./heddle a b", "a", "b"), [None])

    def test_other_output_fails(self):
        self.assertIn("differs", problems("$ ./heddle a b", "a", "c")[0])
        self.assertIn("differs", problems("$ ./heddle a b", "a")[0])

    def test_elision_of_lines_and_text(self):
        self.assertEqual(problems("$ heddle one two three four", "one", "...", "four"), [None])
        self.assertEqual(problems("$ heddle one two", "one", "two", "..."), [None])
        self.assertEqual(problems("$ heddle 'took 12 ms'", "took ... ms"), [None])
        self.assertIn("differs", problems("$ heddle one two", "...", "one")[0])

    def test_exit_codes(self):
        self.assertEqual(problems("$ heddle --exit 10", "--exit", "10", "# exit 10"), [None])
        self.assertIn("exit code 10", problems("$ heddle --exit 10", "--exit", "10", "# exit 0")[0])
        self.assertIn("exit code 3", problems("$ heddle --exit 3")[0])

    def test_several_commands_continuations_and_other_tools(self):
        self.assertEqual(problems("$ heddle a \\", "    b", "a", "b", "$ cat x", "no", "$ heddle c", "c"), [None, None])

    def test_other_blocks_are_left_alone(self):
        self.assertEqual(check_docs.examples_of("p", "```\n$ heddle a\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
