# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import unittest

import check_licence
from tree import Tree

HEADER = "// Copyright (c) 2026 The Heddle authors.\n// SPDX-License-Identifier: Apache-2.0\n"


class CheckLicence(unittest.TestCase):
    def test_bad_files_are_named_and_data_is_left_alone(self):
        with Tree({
            "src/good.h": HEADER + "#pragma once\n",
            "src/none.h": "#pragma once\n",
            "src/half.cpp": HEADER.splitlines()[0] + "\n",
            "scripts/good.sh": "#!/bin/sh\n" + HEADER.replace("//", "#"),
            "test": "#!/bin/sh\necho\n",
            "tests/regress/sb.c": "int x;\n",
            "README.md": "text\n",
        }) as root:
            bad, count = check_licence.check_tree(root)
        self.assertEqual(bad, ["src/half.cpp", "src/none.h", "test"])
        self.assertEqual(count, 5)


if __name__ == "__main__":
    unittest.main()
