# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
import unittest

import check_layers
from tree import Tree

LAYERS = """\
[libraries]
support = []
ir = []
program = ["ir"]
"program/build" = ["ir", "program"]
"program/events" = ["program"]
"frontend/llvm" = ["ir"]
engine = ["program"]
"engine/*" = ["engine", "program", "program/*"]
export = ["program", "program/events", "engine/trace"]
driver = ["*"]
[external]
"llvm/" = ["frontend/llvm"]
"z3" = ["solve"]
"""
GOOD = {
    "layers.toml": LAYERS,
    "src/support/id.h": "#pragma once\n",
    "src/ir/ir.h": '#include "support/id.h"\n#include <vector>\n',
    "src/program/program.h": '#include "program/action.h"\n#include "ir/ir.h"\n',
    "src/program/action.h": "#pragma once\n",
    "src/program/build/build.h": '#include "program/program.h"\n#include "ir/ir.h"\n',
    "src/program/events/set.h": '#include "program/action.h"\n',
    "src/frontend/llvm/import.cpp": '#include "ir/ir.h"\n#include <llvm/IR/Module.h>\n',
    "src/engine/engine.h": '#include "program/program.h"\n',
    "src/engine/explicit/search.h": '#include "engine/engine.h"\n#include "engine/explicit/store.h"\n'
                                    '#include "program/events/set.h"\n',
    "src/engine/explicit/store.h": "#pragma once\n",
    "src/driver/main.cpp": '#include "engine/explicit/search.h"\n#include "ir/ir.h"\n',
}


def complaints(**changed):
    with Tree({**GOOD, **{name.replace("__", "/").replace("_dot_", "."): text for name, text in changed.items()}}) as root:
        return check_layers.check_tree(root)[0]


class CheckLayers(unittest.TestCase):
    def one(self, text, **changed):
        errors = complaints(**changed)
        self.assertEqual(len(errors), 1, errors)
        self.assertIn(text, errors[0])

    def test_a_good_tree_is_accepted(self):
        with Tree(GOOD) as root:
            errors, count = check_layers.check_tree(root)
        self.assertEqual(errors, [])
        self.assertEqual(count, 15)

    def test_an_include_that_is_not_listed(self):
        self.one("src/ir/ir.h:1: ir may not include program", src__ir__ir_dot_h='#include "program/action.h"\n')

    def test_an_engine_may_not_see_another(self):
        self.one("engine/trace may not include engine/explicit",
                 src__engine__trace__trace_dot_h='#include "engine/explicit/store.h"\n')

    def test_a_room_may_not_see_its_sibling(self):
        self.one("program/events may not include program/build",
                 src__program__events__set_dot_h='#include "program/build/build.h"\n')

    def test_a_room_may_not_see_the_one_above_it_either(self):
        self.one("program may not include program/events", src__program__action_dot_h='#include "program/events/set.h"\n')

    def test_who_sees_a_library_does_not_see_its_rooms(self):
        self.one("engine may not include program/build", src__engine__engine_dot_h='#include "program/build/build.h"\n')

    def test_who_sees_one_room_does_not_see_the_others(self):
        self.one("export may not include program/build", src__export__c_dot_cpp='#include "program/build/build.h"\n')

    def test_all_rooms_at_once(self):
        self.assertEqual(complaints(src__engine__explicit__store_dot_h='#include "program/build/build.h"\n'), [])

    def test_a_room_of_a_star_by_its_name(self):
        self.assertEqual(complaints(src__engine__trace__trace_dot_h="#pragma once\n",
                                    src__export__c_dot_cpp='#include "engine/trace/trace.h"\n'), [])

    def test_a_room_without_a_line(self):
        self.one("lies in no library", src__program__run__x_dot_h="#pragma once\n")

    def test_a_folder_with_too_many_files(self):
        files = {f"src/ir/f{i}.cpp": "" for i in range(check_layers.MOST_FILES)}
        with Tree({**GOOD, **files}) as root:
            self.assertEqual(check_layers.check_tree(root)[0], ["src/ir: 41 files are more than one room has (40)"])

    def test_two_headers_of_one_name(self):
        self.one("src/export/action.h and src/program/action.h have one name", src__export__action_dot_h="#pragma once\n")

    def test_a_cycle_through_a_star(self):
        self.one("use each other", layers_dot_toml=LAYERS.replace('"program/events" = ["program"]',
                                                                     '"program/events" = ["program", "engine/*"]'))

    def test_a_star_that_stands_for_nothing(self):
        self.one("which has no line of its own",
                 layers_dot_toml=LAYERS.replace('program = ["ir"]', 'program = ["ir", "ir/*"]'))

    def test_the_engine_interface_may_not_see_an_engine(self):
        self.one("engine may not include engine/explicit",
                 src__engine__engine_dot_h='#include "engine/explicit/store.h"\n')

    def test_llvm_outside_its_front_end(self):
        self.one("program may not include <llvm/IR/Value.h>", src__program__action_dot_h="#include <llvm/IR/Value.h>\n")

    def test_a_solver_even_in_the_driver(self):
        self.one("driver may not include <z3++.h>", src__driver__main_dot_cpp="#include <z3++.h>\n")

    def test_a_folder_without_a_line(self):
        self.one("lies in no library", src__helpers__x_dot_h="#pragma once\n")

    def test_a_header_that_does_not_exist(self):
        self.one("does not exist", src__ir__ir_dot_h='#include "support/nothing.h"\n')

    def test_an_include_without_its_folder(self):
        self.one('"program/action.h"', src__program__program_dot_h='#include "action.h"\n')

    def test_a_used_library_without_a_line(self):
        self.one("which has no line of its own", layers_dot_toml=LAYERS.replace('program = ["ir"]', 'program = ["ir", "x"]'))

    def test_a_cycle_of_libraries(self):
        self.one("use each other", layers_dot_toml=LAYERS.replace("ir = []", 'ir = ["program"]'))


if __name__ == "__main__":
    unittest.main()
