# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import unittest

import check_options
from tree import Tree

GOOD = {
    "src/driver/options/options.def": '// table\nHEDDLE_FLAG(no_reduction, "no-reduction", "text")\n'
                              'HEDDLE_NUMBER(unwind, "unwind", "text")\n',
    "src/driver/commands/main.cpp": "use(options.no_reduction, options.unwind);\n",
    "tests/regress/a.yml": "flags: [--no-reduction, --unwind, 3]\n",
    "docs/usage.md": "`--no-reduction` and `--unwind N`\n",
}


class CheckOptions(unittest.TestCase):
    def complaints(self, **changed):
        names = {"table": "src/driver/options/options.def", "source": "src/driver/commands/main.cpp", "test": "tests/regress/a.yml",
                 "page": "docs/usage.md"}
        with Tree({**GOOD, **{names[key]: text for key, text in changed.items()}}) as root:
            return check_options.check_tree(root)

    def test_a_good_tree(self):
        self.assertEqual(self.complaints(), ([], 2))

    def test_not_used(self):
        self.assertEqual(self.complaints(source="use(options.unwind);\n")[0],
                         ["--no-reduction: nothing in src/ reads no_reduction"])

    def test_not_tested(self):
        self.assertEqual(self.complaints(test="flags: [--no-reduction, --unwind-all]\n")[0], ["--unwind: no test uses it"])

    def test_not_documented(self):
        self.assertEqual(self.complaints(page="`--unwind`\n")[0], ["--no-reduction: no page explains it"])

    def test_the_generated_page_must_be_up_to_date(self):
        with Tree({"fake": "#!/bin/sh\necho the table\n", "docs/options.md": "Title\n\nthe table\n"}) as root:
            self.assertEqual(check_options.check_page(root, root / "fake"), [])
            (root / "docs/options.md").write_text("an old table\n")
            self.assertEqual(len(check_options.check_page(root, root / "fake")), 1)

    def test_a_name_that_stands_twice(self):
        table = GOOD["src/driver/options/options.def"]
        self.assertEqual(self.complaints(table=table + table.splitlines()[1] + "\n")[0],
                         ["--no-reduction: stands in the table more than once"])

    def test_an_empty_table_is_seen(self):
        self.assertEqual(self.complaints(table="// nothing\n")[1], 0)


if __name__ == "__main__":
    unittest.main()
