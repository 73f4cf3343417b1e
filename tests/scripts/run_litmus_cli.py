#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""The commands litmus and compare from outside: what bad input gets, exit codes, the files they write, and that the same
question has the same answer.

  tests/scripts/run_litmus_cli.py --binary build/dev/bin/heddle
"""
import argparse
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BINARY = None
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LITMUS = ROOT / "tests" / "litmus"
USAGE, INPUT = 2, 3

SB = """X86 SB
{
}
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
"""
MP = SB.replace("X86 SB", "X86 MP").replace("MOV [y],$1  ;", "MOV EAX,[y] ;").replace(
    "MOV EAX,[y] | MOV EAX,[x] ;", "MOV [y],$1  | MOV EBX,[x] ;").replace("0:EAX=0 /\\ 1:EAX=0", "1:EAX=1 /\\ 1:EBX=0")
LOOP = """X86 loop
{
}
 P0         | P1          ;
 MOV [x],$1 | L:          ;
            | MOV EAX,[x] ;
            | CMP EAX,$1  ;
            | JNE L       ;
exists (1:EAX=1)
"""
COUNTS = """X86 counts
{
}
 P0          ;
 L:          ;
 MOV EAX,[x] ;
 INC EAX     ;
 MOV [x],EAX ;
 CMP EAX,$4  ;
 JNE L       ;
exists (x=4)
"""
MESSAGE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
int data;
static void *writer(void *a) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
"""
COUNTS_C = """#include <stdatomic.h>
atomic_int x;
int main(void) {
  while (atomic_load(&x) < 4)
    atomic_fetch_add(&x, 1);
  return 0;
}
"""


C_PROGRAM = """#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r0, r1, r2, r3;
THREADS
int main(void) {
  pthread_t t[4];
CREATE  return 0;
}
"""
# For each shape its threads (a store of 1 to a place, or a load from a place to a result), and the state that only weak models
# allow.
SHAPES = {
    "SB": ([["W x", "R y r0"], ["W y", "R x r1"]], {"r0": "0", "r1": "0"}),
    "MP": ([["W x", "W y"], ["R y r0", "R x r1"]], {"r0": "1", "r1": "0"}),
    "LB": ([["R x r0", "W y"], ["R y r1", "W x"]], {"r0": "1", "r1": "1"}),
    "IRIW": ([["W x"], ["W y"], ["R x r0", "R y r1"], ["R y r2", "R x r3"]], {"r0": "1", "r1": "0", "r2": "1", "r3": "0"}),
}
STRENGTHS = {"rlx": ("relaxed", "relaxed"), "ra": ("release", "acquire"), "sc": ("seq_cst", "seq_cst")}
# Where the state is possible, as published: Sewell et al., C/C++11 mappings to processors; Batty et al., POPL 2012 (IRIW with
# acquire loads is possible on Power, where writes reach threads one after the other); Pulte et al., POPL 2018 (and is not on
# Armv8, where moreover LDAR waits for STLR, so that SB is excluded); the RISC-V manual.
POSSIBLE = {
    "x86tso": {"SB rlx", "SB ra"},
    "armv8": {"SB rlx", "MP rlx", "LB rlx", "IRIW rlx"},
    "riscv": {"SB rlx", "MP rlx", "LB rlx", "IRIW rlx", "SB ra"},
    "power": {"SB rlx", "MP rlx", "LB rlx", "IRIW rlx", "SB ra", "IRIW ra"},
    "arm": {"SB rlx", "MP rlx", "LB rlx", "IRIW rlx", "SB ra"},
    "rc11": {"SB rlx", "MP rlx", "IRIW rlx", "SB ra", "IRIW ra"},
    "sc": set(),
}


def c_program(threads, stores="relaxed", loads="relaxed"):
    """The text of a program; what is neither a load nor a store is C."""
    bodies, create = [], ""
    for number, steps in enumerate(threads):
        body = ""
        for step in steps:
            parts = step.split()
            if parts[0] == "W":
                body += f"  atomic_store_explicit(&{parts[1]}, 1, memory_order_{stores});\n"
            elif parts[0] == "R":
                body += f"  {parts[2]} = atomic_load_explicit(&{parts[1]}, memory_order_{loads});\n"
            else:
                body += f"  {step}\n"
        bodies.append(f"void *thread{number}(void *unused) {{\n{body}  return 0;\n}}")
        create += f"  pthread_create(&t[{number}], 0, thread{number}, 0);\n"
    for number in range(len(threads)):
        create += f"  pthread_join(t[{number}], 0);\n"
    return C_PROGRAM.replace("THREADS", "\n".join(bodies)).replace("CREATE", create)


def without_times(text):
    return re.sub(r"(?m)^Time .*$", "", text)


class Page(html.parser.HTMLParser):
    """Which elements a page has, and whether it asks for anything from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.tags = set()
        self.outside = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.outside += [value for name, value in attrs
                         if name in ("src", "href") and value and re.match(r"(https?:)?//", value)]


class Litmus(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-litmus-"))
        self.sb = self.file("SB.litmus", SB)
        self.mp = self.file("MP.litmus", MP)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def file(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def start(self, *arguments, **options):
        return subprocess.run([BINARY, *[str(one) for one in arguments]], capture_output=True, text=True, check=False,
                              timeout=300, **options)

    def fails(self, code, *arguments):
        """The message of a run that must fail with that exit code, without a crash."""
        ran = self.start(*arguments)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        self.assertNotEqual(ran.stderr, "")
        return ran.stderr

    def answers(self, *arguments):
        ran = self.start(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        return ran.stdout

    # Bad input

    def test_a_file_that_is_not_there(self):
        self.assertIn("nowhere.litmus", self.fails(INPUT, "litmus", "nowhere.litmus"))
        self.assertIn("nowhere.litmus", self.fails(INPUT, "compare", "nowhere.litmus"))

    def test_no_file_at_all(self):
        self.fails(USAGE, "litmus")
        self.fails(USAGE, "compare")

    def test_a_folder_without_tests(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("empty", self.fails(INPUT, "litmus", empty))

    def test_a_missing_file_does_not_hide_the_others(self):
        ran = self.start("litmus", self.sb, "nowhere.litmus", self.mp)
        self.assertEqual(ran.returncode, INPUT)
        self.assertIn("Observation SB", ran.stdout)
        self.assertIn("Observation MP", ran.stdout)

    def test_a_malformed_test_has_several_located_errors(self):
        path = self.file("bad.litmus", SB.replace("MOV [x],$1", "FROB [x],1").replace("MOV EAX,[x]", "MOV EAX,{x"))
        message = self.fails(INPUT, "litmus", path)
        self.assertIn(f"{path}:5:2:", message)
        self.assertIn("FROB", message)
        self.assertIn(f"{path}:6:", message)

    def test_other_malformed_tests(self):
        for text in ["", "X86", "X86 t\n", "VAX t\n{\n}\n P0 ;\n NOP ;\nexists (true)\n", SB[:-20], SB.replace("}", ""),
                     SB.replace("exists", "exits"), "\0\1\2", SB.replace("| P1", "| P0"), SB.replace("0:EAX=0", "7:EAX=0")]:
            path = self.file("bad.litmus", text)
            message = self.fails(INPUT, "litmus", path)
            self.assertRegex(message, re.escape(path) + r":\d+:\d+: ", repr(text))

    def test_an_unknown_instruction_in_every_assembly(self):
        for architecture in ["X86", "X86_64", "AArch64", "PPC", "RISCV", "ARM", "MIPS"]:
            path = self.file("u.litmus", f"{architecture} u\n{{\n}}\n P0      ;\n frobify ;\nexists (true)\n")
            message = self.fails(INPUT, "litmus", path)
            self.assertIn(f"{path}:5:2:", message, architecture)
            self.assertIn("frobify", message.lower(), architecture)

    def test_an_unknown_model_lists_the_known_ones(self):
        for command, option in [("litmus", "--model"), ("compare", "--models")]:
            message = self.fails(USAGE, command, self.sb, option, "nosuch")
            self.assertIn("nosuch", message)
            for known in ["sc", "tso", "armv8", "rc11", "lkmm"]:
                self.assertRegex(message, rf"\b{known}\b")

    def test_a_model_file_that_is_not_there(self):
        self.assertIn("nowhere.cat", self.fails(INPUT, "litmus", self.sb, "--model", "nowhere.cat"))

    def test_a_malformed_model_has_several_messages(self):
        model = self.file("bad.cat", '"bad"\nlet a = po | unknown1\nacyclic a\nlet b = rf ; unknown2\nempty b\n')
        message = self.fails(INPUT, "litmus", self.sb, "--model", model)
        self.assertIn(f"{model}:2:", message)
        self.assertIn("unknown1", message)
        self.assertIn(f"{model}:4:", message)
        self.assertIn("unknown2", message)

    def test_a_model_that_does_not_parse(self):
        for text in ["let", "let a = (po", "acyclic", "acyclic po |", 'include "nowhere.cat"', "(* never ended", "let = po"]:
            model = self.file("bad.cat", text + "\n")
            self.assertRegex(self.fails(INPUT, "litmus", self.sb, "--model", model), re.escape(model) + r":\d+:\d+: ", text)

    def test_a_relation_used_as_a_set(self):
        model = self.file("bad.cat", '"bad"\nlet a = [po]\nacyclic a\n')
        self.assertIn(f"{model}:2:", self.fails(INPUT, "litmus", self.sb, "--model", model))
        model = self.file("bad.cat", '"bad"\nacyclic R\n')
        self.assertIn(f"{model}:2:", self.fails(INPUT, "litmus", self.sb, "--model", model))
        model = self.file("bad.cat", '"bad"\nempty po | R\n')
        self.assertIn(f"{model}:2:", self.fails(INPUT, "litmus", self.sb, "--model", model))

    def test_recursion_that_is_not_well_founded(self):
        model = self.file("bad.cat", '"bad"\nlet rec a = po \\ a\nacyclic a\n')
        self.assertIn(f"{model}:2:", self.fails(INPUT, "litmus", self.sb, "--model", model))

    def test_numbers_out_of_range(self):
        for option, value in [("--unroll", "-1"), ("--unroll", "x"), ("--unroll", "1001"), ("--jobs", "0"), ("--time", "-1"),
                              ("--nondet-bits", "0")]:
            self.assertIn(option, self.fails(USAGE, "litmus", self.sb, option, value))
        self.fails(USAGE, "litmus", self.sb, "--no-such-option")

    def test_writes_around_a_release_write(self):
        # A release write of PSO has a store fence before it, which separates the writes around it, too.
        test = self.file("around.litmus", """C around
{}
P0 (atomic_int* x, atomic_int* y) { *y = 1; atomic_store_explicit(y, 2, memory_order_release); *x = 1; }
P1 (atomic_int* x, atomic_int* y) { int r0 = *x; int r1 = *y; }
exists (1:r0=1 /\\ 1:r1=0)
""")
        for engine in [[], ["--engine", "explicit"]]:
            self.assertIn("Observation around Never 0 5", self.answers("litmus", test, "--model", "pso", *engine))

    def test_a_model_without_a_machine(self):
        self.assertIn("armv8", self.fails(USAGE, "litmus", self.sb, "--engine", "explicit", "--model", "armv8"))

    # Files that cannot be written

    def test_paths_that_cannot_be_written(self):
        for option in ["--html", "--json", "--dot", "--svg"]:
            path = self.folder / "no" / "such" / "folder" / "out"
            self.assertIn(str(path), self.fails(INPUT, "litmus", self.sb, option, path), option)
            self.assertFalse(path.exists())

    def test_a_full_disk(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        for option in ["--html", "--json", "--dot"]:
            self.assertIn("/dev/full", self.fails(INPUT, "litmus", self.sb, option, "/dev/full"), option)

    def test_a_failed_write_leaves_nothing_behind(self):
        occupied = self.folder / "occupied"
        occupied.mkdir()
        before = sorted(self.folder.rglob("*"))
        self.fails(INPUT, "litmus", self.sb, "--json", occupied)
        self.fails(INPUT, "litmus", self.sb, "--html", occupied)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_bad_input_writes_nothing(self):
        page = self.folder / "out.html"
        self.fails(INPUT, "litmus", self.file("bad.litmus", "X86 t\n"), "--html", page)
        self.assertFalse(page.exists())

    # What comes out

    def test_the_log(self):
        log = self.answers("litmus", self.sb, "--model", "x86tso")
        self.assertIn("Test SB Allowed\nStates 4\n", log)
        self.assertIn("0:EAX=0; 1:EAX=0;\n", log)
        self.assertIn("Positive: 1 Negative: 3\n", log)
        self.assertIn("Observation SB Sometimes 1 3\n", log)
        self.assertIn("Observation SB Never 0 3\n", self.answers("litmus", self.sb, "--model", "sc"))

    def test_log(self):
        def text(*more):
            return re.sub(r"^Time .*$", "", self.answers("litmus", self.sb, self.mp, "--model", "x86tso", *more), flags=re.M)
        self.assertEqual(text(), text("--log", "herd"))
        self.assertEqual([(one["test"], one["model"]) for one in json.loads(text("--log", "json"))],
                         [("SB", "x86tso"), ("MP", "x86tso")])
        self.fails(USAGE, "litmus", self.sb, "--log", "other")

    def test_json(self):
        out = self.folder / "out.json"
        self.answers("litmus", self.sb, self.mp, "--model", "sc,x86tso", "--json", out)
        answers = json.loads(out.read_text())
        self.assertEqual([(one["test"], one["model"]) for one in answers],
                         [("SB", "sc"), ("SB", "x86tso"), ("MP", "sc"), ("MP", "x86tso")])
        self.assertEqual([len(one["states"]) for one in answers], [3, 4, 3, 3])

    def test_html(self):
        out = self.folder / "out.html"
        self.answers("litmus", self.sb, "--model", "x86tso", "--html", out)
        text = out.read_text()
        page = Page(text)
        self.assertTrue({"html", "head", "title", "body", "script"} <= page.tags)
        self.assertEqual(page.outside, [])
        self.assertIn("SB", text)

    def test_dot_and_svg(self):
        dot, svg = self.folder / "out.dot", self.folder / "out.svg"
        self.answers("litmus", self.sb, "--model", "x86tso", "--dot", dot)
        text = dot.read_text()
        self.assertTrue(text.startswith("digraph"))
        self.assertEqual(text.count("{"), text.count("}"))
        for part in ["po", "fr", "rf"]:
            self.assertIn(part, text)
        if shutil.which("dot") is None:
            self.skipTest("no Graphviz")
        subprocess.run(["dot", "-Tcanon", dot], check=True, capture_output=True)
        self.answers("litmus", self.sb, "--model", "x86tso", "--svg", svg)
        self.assertEqual(xml.etree.ElementTree.parse(svg).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_several_tests_get_a_folder_of_pages(self):
        pages = self.folder / "pages"
        self.answers("litmus", self.sb, self.mp, "--model", "sc,x86tso", "--html", pages)
        self.assertEqual(sorted(page.name for page in pages.iterdir()),
                         ["MP.sc.html", "MP.x86tso.html", "SB.sc.html", "SB.x86tso.html"])

    def test_what_only_picks_a_value_is_not_what_it_is_computed_from(self):
        """CSEL and CAS of AArch64 in models that follow registers (herd's aarch64.cat does): Arm ARM B2.3, pick dependencies."""
        model = self.file("dependencies.cat", """"Dependencies" catdep
let next = po & same-gpr
let through = [Wreg]; (next & ~(next; [Wreg]; next)); [Rreg]
let rec computed = through | iico_data | computed; computed
let rec picked = computed | iico_ctrl | picked; picked
flag ~empty ([R]; (computed & po); [W]) \\ rmw as computed
flag ~empty ([R]; (picked & po); [W]) \\ rmw as picked
""")
        for code, computed, picked, executions in (
                ("CMP W0,#1 ; CSEL W3,W4,W5,EQ ; STR W3,[X2]", False, True, 1),
                ("CMP W4,#0 ; CSEL W3,W0,W5,EQ ; STR W3,[X2]", True, True, 1),
                ("CMP W4,#0 ; CSEL W3,W0,W5,NE ; STR W3,[X2]", False, False, 1),
                ("CMP W0,#1 ; ADD W3,W4,W5 ; STR W3,[X2]", False, False, 1),
                ("UDIV W3,W4,W0 ; STR W3,[X2]", True, True, 1),
                # What the register gets is from memory or from itself; two executions, as in herd.
                ("CAS W0,W5,[X2]", False, True, 2),
                ("CAS W6,W0,[X2]", True, True, 2),
                # One that fails may write back what it read, and then nothing of what it was to write.
                ("MOV W7,#1 ; CAS W7,W0,[X2]", False, False, 2),
                ("ADD W7,W0,#1 ; CAS W7,W5,[X2]", False, True, 2)):
            rows = "".join(f" {row.strip()} ;\n" for row in ["LDR W0,[X1]", *code.split(";")])
            test = self.file("picks.litmus", f"AArch64 picks\n{{ 0:X1=x; 0:X2=y; }}\n P0 ;\n{rows}forall (true)\n")
            log = self.answers("litmus", test, "--model", model)
            self.assertEqual(("Flag computed" in log, "Flag picked" in log), (computed, picked), code + "\n" + log)
            self.assertIn(f"Positive: {executions} ", log, code)

    def test_without_a_model_the_architecture_says_which(self):
        """As herd does: each test is judged by the model of what it is written for, and the log and the reports name it."""
        tests = {
            "x86tso": SB,
            "armv8": "AArch64 t\n{ 0:X1=x; }\n P0 ;\n LDR W0,[X1] ;\nexists (0:X0=1)\n",
            "power": "PPC t\n{ 0:r1=x; }\n P0 ;\n lwz r2,0(r1) ;\nexists (0:r2=1)\n",
            "arm": "ARM t\n{ 0:R1=x; }\n P0 ;\n LDR R2,[R1] ;\nexists (0:R2=1)\n",
            "riscv": "RISCV t\n{ 0:x6=x; }\n P0 ;\n lw x5,0(x6) ;\nexists (0:x5=1)\n",
            "mips": "MIPS t\n{ 0:r4=x; }\n P0 ;\n lw r2,0(r4) ;\nexists (0:r2=1)\n",
            "rc11": "C t\n{}\nP0 (atomic_int* x) { int r0 = atomic_load_explicit(x, memory_order_relaxed); }\nexists (0:r0=1)\n",
            "lkmm": "C t\n{}\nP0 (int* x) { int r0 = READ_ONCE(*x); }\nexists (0:r0=1)\n",
        }
        for model, text in tests.items():
            test = self.file(f"{model}.litmus", text)
            log = self.answers("litmus", test)
            self.assertEqual(log.splitlines()[0], f"Model {model}")
            self.assertIn(log.partition("\n")[2].partition("Time")[0], self.answers("litmus", test, "--model", model))
            self.assertEqual([one["model"] for one in json.loads(self.answers("litmus", test, "--log", "json"))], [model])
            self.assertIn(f" under {model}", self.start("verify", test).stdout)
        everything = self.answers("litmus", *[self.folder / f"{model}.litmus" for model in tests])
        self.assertEqual(re.findall(r"(?m)^Model (\S+)$", everything), list(tests))
        self.assertIn("Observation SB Sometimes 1 3", self.answers("litmus", self.sb))
        self.assertIn("VIOLATED (assertion) under x86tso", self.start("verify", self.sb).stdout)
        # One that is given is taken; C programs stay under sc, and compare has a list of its own.
        self.assertTrue(self.answers("litmus", self.sb, "--model", "sc").startswith("Test SB"))
        self.assertIn("SB: sc 3 states, tso 4 states, pso 4 states", self.answers("compare", self.sb))
        program = self.file("p.c", "int x;\nint main(void) { x = 1; return 0; }\n")
        self.assertTrue(self.answers("executions", program).startswith("Test p.c"))
        # A machine is asked for: that of x86 is tso, the others have none.
        self.assertTrue(self.answers("litmus", self.sb, "--engine", "explicit").startswith("Model tso\n"))
        self.assertIn("'armv8' has axioms only",
                      self.fails(USAGE, "litmus", self.folder / "armv8.litmus", "--engine", "explicit"))
        # C that is translated is judged by the model of the processor.
        self.assertTrue(self.answers("litmus", self.folder / "rc11.litmus", "--target", "aarch64").startswith("Model armv8\n"))

    def test_what_a_test_of_the_kernel_says_of_itself_is_checked(self):
        text = """C kernel-SB

(*
 * Result: RESULT
 *)

{}

P0(int *x, int *y) { WRITE_ONCE(*x, 1); int r0 = READ_ONCE(*y); }
P1(int *x, int *y) { WRITE_ONCE(*y, 1); int r0 = READ_ONCE(*x); }
exists (0:r0=0 /\\ 1:r0=0)
"""
        for result in ("Sometimes", "Maybe", "Free choice."):
            test = self.file("kernel.litmus", text.replace("RESULT", result))
            self.assertIn("Observation kernel-SB Sometimes 1 3", self.answers("litmus", test))
        for result in ("Never", "Always", "DEADLOCK", "Sometimes DATARACE"):
            test = self.file("kernel.litmus", text.replace("RESULT", result))
            ran = self.start("litmus", test, self.mp, "--json", self.folder / "out.json")
            self.assertEqual(ran.returncode, 10, result)
            self.assertIn("Observation kernel-SB Sometimes 1 3", ran.stdout)
            self.assertIn("Observation MP", ran.stdout)
            found = "no data race" if "RACE" in result else "Sometimes"
            self.assertIn(f"the test says that its result is {result.split()[0]}", ran.stderr)
            self.assertIn(f"under lkmm it is {found}", ran.stderr)
            one = json.loads((self.folder / "out.json").read_text())[0]
            self.assertEqual((one["expected"], one["as_expected"]), (result.split()[0], False))
        # It is about the kernel's model, and no other.
        test = self.file("kernel.litmus", text.replace("RESULT", "Sometimes"))
        self.assertIn("Observation kernel-SB Never", self.answers("litmus", test, "--model", "sc"))
        # Races, which are said with it, leave nothing else to expect.
        racy = text.replace("WRITE_ONCE(*x, 1)", "*x = 1")
        test = self.file("kernel.litmus", racy.replace("RESULT", "Never DATARACE"))
        self.assertIn("Flag data-race", self.answers("litmus", test))
        test = self.file("kernel.litmus", racy.replace("RESULT", "Sometimes"))
        self.assertIn("under lkmm it is a data race", self.fails(10, "litmus", test))
        # What cannot be decided within the bound contradicts nothing.
        loop = """C kernel-loop
(* Result: Sometimes *)
{}
P0(int *x) { WRITE_ONCE(*x, 1); WRITE_ONCE(*x, 2); WRITE_ONCE(*x, 3); }
P1(int *x) { int r0; int n = 0; do { r0 = READ_ONCE(*x); n = n + 1; } while (r0 != 3); }
exists (1:n=7)
"""
        self.assertIn("Observation kernel-loop Never", self.answers("litmus", self.file("loop.litmus", loop)))

    def test_labels_are_values(self):
        text = """AArch64 labels
{ 0:X1=P0:L; uint64_t y = 0; 0:X2=y; uint64_t 0:X3; 0:X9=label:"P0:M"; }
 P0          ;
 STR X1,[X2] ;
 LDR X3,[X2] ;
 BR X3       ;
 MOV W0,#1   ;
L:           ;
 ADD W0,W0,#2 ;
 BL M        ;
 B E         ;
M:           ;
 ADD W0,W0,#4 ;
 RET         ;
E:           ;
forall (0:X0=6 /\\ 0:X3=label:"P0:L")
"""
        test = self.file("labels.litmus", text)
        log = self.answers("litmus", test)
        self.assertIn('0:X0=6; 0:X3=label:"P0:L";', log)
        self.assertIn("Observation labels Always 1 0", log)
        self.assertIn("PROVED under sc", self.answers("verify", test, "--model", "sc"))
        self.assertIn("no label 'K' in thread P0", self.fails(INPUT, "litmus", self.file("l.litmus", text.replace("X1=P0:L", "X1=P0:K"))))
        # Code is not data, and what is no label of the thread is not jumped to.
        self.assertIn("l.litmus:5", self.fails(INPUT, "litmus", self.file("l.litmus", text.replace("[X2] ;\n BR", "[X1] ;\n BR"))))
        self.assertIn("no label of this thread",
                      self.fails(INPUT, "litmus", self.file("l.litmus", text.replace("BR X3", "BR X2"))))

    def test_what_is_not_modelled_is_refused_by_name(self):
        for entry, name in (("0:X1=x:red;", "tags"), ("[PTE(x)]=(oa:PA(x), valid:0);", "'PTE(…)'"),
                            ('0:X1=instr:"NOP";', "instructions as values"), ("uint128_t x;", "uint64_t x[2]")):
            test = self.file("l.litmus", f"AArch64 l\n{{ {entry} }}\n P0 ;\n NOP ;\nforall (true)\n")
            message = self.fails(INPUT, "litmus", test)
            self.assertIn(name, message)
            self.assertRegex(message, r"l\.litmus:2:\d+: ")
        test = self.file("l.litmus", "AArch64 l\n{ }\n P0 ;\nL0: UDF #0 ;\nexists (fault(P0:L0))\n")
        self.assertIn("'fault(…)' is not supported", self.fails(INPUT, "litmus", test))
        test = self.file("l.litmus", "AArch64 l\n{ }\n P0 ;\n NOP ;\nexists (0:X1=instr:\"NOP\")\n")
        self.assertIn("instructions as values", self.fails(INPUT, "litmus", test))

    def test_several_models(self):
        log = self.answers("litmus", self.sb, "--model", "sc,x86tso")
        self.assertEqual(re.findall(r"(?m)^Model (\S+)$", log), ["sc", "x86tso"])
        self.assertEqual(re.findall(r"(?m)^Observation SB (\S+)", log), ["Never", "Sometimes"])

    def test_one_bad_model_of_several(self):
        ran = self.start("litmus", self.sb, "--model", "sc,nosuch")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("nosuch", ran.stderr)
        self.assertIn("Observation SB Never", ran.stdout)

    def test_no_model_is_no_answer(self):
        for command, option in (("litmus", "--model"), ("compare", "--models")):
            for names in ("", "sc,"):
                ran = self.start(command, self.sb, option, names)
                self.assertEqual(ran.returncode, 2, (command, names, ran.stdout))
                self.assertIn("unknown memory model ''", ran.stderr)

    def test_states_only(self):
        counted = self.answers("litmus", self.sb, self.mp, "--model", "x86tso")
        states = self.answers("litmus", self.sb, self.mp, "--model", "x86tso", "--states")
        lines = [line for line in counted.splitlines() if line.endswith(";")]
        self.assertEqual([line for line in states.splitlines() if line.endswith(";")], lines)
        self.assertGreater(len(lines), 6)

    def test_unroll(self):
        path = self.file("loop.litmus", LOOP)
        counts = [int(re.search(r"Positive: (\d+)", self.answers("litmus", path, "--model", "sc", "--unroll", n)).group(1))
                  for n in ["1", "2", "5"]]
        self.assertEqual(sorted(set(counts)), counts)  # more rounds, more executions

    def test_nothing_is_known_where_every_execution_is_cut(self):
        test = self.file("counts.litmus", COUNTS)
        program = self.file("counts.c", COUNTS_C)
        for command, path in [("litmus", test), ("executions", program)]:
            for engine in [["--engine", "axiomatic"], []] if command == "litmus" else [[]]:
                out = self.folder / "log.json"
                ran = self.start(command, path, "--model", "sc", "--json", out, *engine)
                self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
                self.assertIn("States 0\nLoop Unknown\n", ran.stdout)
                self.assertIn("under sc: nothing is known, since every execution is cut before its end (loop at", ran.stderr)
                self.assertEqual(json.loads(out.read_text())[0]["verdict"], "Unknown")
            self.assertIn("States 1\n", self.answers(command, path, "--model", "sc", "--unroll", "5"))
        ran = self.start("outcomes", program, "--unwind", "2")
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
        self.assertIn("0 final states under sc (not all: a bound or limit was reached)", ran.stdout)
        ran = self.start("compare", program, "--models", "sc,tso")
        self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)

    def test_a_violation_under_a_model_with_axioms_is_replayed(self):
        program = self.file("mp.c", MESSAGE)
        sb = self.file("sb.litmus", SB.replace("exists", "~exists"))
        model = self.file("mine.cat", '"mine"\ninclude "rc11.cat"\n')
        for question in [[program, "--model", "rc11"], [program, "--model", "rc11", "--property", "race"],
                         [program, "--model", "armv8"], [sb, "--model", "x86tso"],
                         [program, "--model", model, "--include", ROOT / "models"]]:
            saved, again = self.folder / "saved.json", self.folder / "again.json"
            first = self.start("verify", *question, "--json", saved)
            self.assertIn(first.returncode, (10, 11), first.stdout + first.stderr)
            for path in [saved, again]:  # what replay saves can be replayed, too
                ran = self.start("replay", path, "--json", again)
                self.assertEqual((ran.returncode, ran.stdout), (first.returncode, first.stdout), ran.stderr)
        changed = json.loads(saved.read_text())
        changed["violation"]["execution"]["rf"] = []
        saved.write_text(json.dumps(changed))
        self.assertIn("the violation does not happen in this program", self.fails(INPUT, "replay", saved))
        del changed["violation"]["execution"]["events"]
        saved.write_text(json.dumps(changed))
        self.assertIn("expected an execution", self.fails(INPUT, "replay", saved))
        self.start("verify", program, "--model", "sc", "--json", saved)
        self.assertIn('the report says "proved": only violations can be replayed', self.fails(INPUT, "replay", saved))

    def test_explain(self):
        text = self.answers("litmus", self.sb, "--model", "sc", "--explain")
        found = re.search(r"(?m)^Forbidden by sc .*: (.*)$", text)
        self.assertTrue(found, text)
        steps = re.findall(r"-([^ ]+)-> ", found.group(0))
        self.assertEqual(sorted(steps), ["fr", "fr", "po", "po"])
        self.assertRegex(text, r"W\[x\]=1 +\S*SB.litmus:5")
        self.assertNotIn("Forbidden", self.answers("litmus", self.sb, "--model", "x86tso", "--explain"))

    def test_a_variant_takes_the_other_branch(self):
        model = self.file("variant.cat", 'let kept = if "strong" then po else 0\nacyclic kept | rf | co | (rf^-1; co)\n')
        self.assertIn("Observation SB Sometimes", self.answers("litmus", self.sb, "--model", model))
        self.assertIn("Observation SB Never", self.answers("litmus", self.sb, "--model", model, "--variant", "strong"))

    def test_macros_of_ones_own(self):
        test = self.file("macro.litmus", "C macro\n{ }\nP0 (int *x) {\n  SET(*x, 3);\n  smp_mb();\n}\nexists (x=3)\n")
        macros = self.file("mine.def", "SET(X,V) { __store{once}(X,V); }\n")
        self.assertIn("macro.litmus:4", self.fails(INPUT, "litmus", test, "--model", "lkmm"))
        self.assertIn("Observation macro Always", self.answers("litmus", test, "--model", "lkmm", "--macros", macros))

    def test_compare(self):
        out = self.folder / "compare.json"
        text = self.answers("compare", self.sb, "--models", "sc,x86tso", "--json", out)
        self.assertIn("SB: sc 3 states, x86tso 4 states\n", text)
        self.assertIn("0:EAX=0; 1:EAX=0;  allowed by x86tso; not by sc\n", text)
        self.assertIn("R y=0 (initial)", text)
        self.assertNotIn("0:EAX=1; 1:EAX=1;", text)
        self.assertIn("no difference", self.answers("compare", self.mp, "--models", "sc,x86tso"))
        states = {one["state"]: one["allowed by"] for one in json.loads(out.read_text())[0]["states"]}
        self.assertEqual(states["0:EAX=0; 1:EAX=0;"], ["x86tso"])
        self.assertEqual(states["0:EAX=1; 1:EAX=1;"], ["sc", "x86tso"])

    # C on processors

    def states(self, *arguments):
        """By model, the final states of a C program; skipped where there is no C front end."""
        out = self.folder / "states.json"
        ran = self.start("executions", *arguments, "--json", out)
        if "LLVM" in ran.stderr:
            self.skipTest("built without LLVM")
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran.stdout)
        return {one["model"]: [state["values"] for state in one["states"]] for one in json.loads(out.read_text())}

    def test_c_on_processors_allows_what_is_published(self):
        for shape, (threads, weak) in SHAPES.items():
            for strength, (stores, loads) in STRENGTHS.items():
                path = self.file(f"{shape}-{strength}.c", c_program(threads, stores, loads))
                for model, states in self.states(path, "--model", ",".join(POSSIBLE)).items():
                    is_possible = any(weak.items() <= state.items() for state in states)
                    self.assertEqual(is_possible, f"{shape} {strength}" in POSSIBLE[model], f"{shape} {strength} {model}")

    def test_allocated_memory_that_is_read_first_is_said(self):
        program = """#include <pthread.h>
#include <stdlib.h>
int out;
int *shared;
static void *run(void *a) { int *q = shared; if (q) out = *q; return 0; }
int main(void) {
  pthread_t t;
  int *p = malloc(4);
  FILL
  shared = p;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
"""
        for fill, out, is_complete in (("", "0", False), ("*p = 3;", "3", True)):
            path = self.file("fresh.c", program.replace("FILL", fill))
            self.assertEqual([state["out"] for state in self.states(path, "--model", "rc11")["rc11"]], [out])
            # A log in herd's format says "Loop" where something was cut.
            self.assertEqual("\nLoop " not in self.start("executions", path, "--model", "rc11").stdout, is_complete, fill)

    def test_what_locks_and_joins_order_on_processors(self):
        path = self.file("locks.c", c_program([["pthread_mutex_lock(&m);", "r0 = count; count = r0 + 1;", "pthread_mutex_unlock(&m);"]] * 2)
                         .replace("int r0,", "int count; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint r0,")
                         .replace("  return 0;\n}\n", "  r1 = count;\n  return 0;\n}\n"))
        answers = self.states(path, "--model", "sc,x86tso,armv8,power,riscv,arm,mips", "--global", "count", "--global", "r1")
        self.assertEqual(len(answers), 7)
        for model, states in answers.items():
            self.assertEqual(states, [{"count": "2", "r1": "2"}], model)

    def test_updates_on_processors_are_not_lost(self):
        increment = "r{0} = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);"
        compare = ("int e{0} = 0; r{0} = atomic_compare_exchange_strong_explicit(&y, &e{0}, 1, memory_order_relaxed, "
                   "memory_order_relaxed);")
        path = self.file("updates.c", c_program([[increment.format(0), compare.format(2)], [increment.format(1), compare.format(3)]]))
        for model, states in self.states(path, "--model", "x86tso,armv8,power,riscv,arm,mips").items():
            self.assertEqual({(one["x"], one["r2"] + one["r3"]) for one in states}, {("2", "01"), ("2", "10")}, model)
            self.assertEqual({one["r0"] + one["r1"] for one in states}, {"01", "10"}, model)

    def test_threads_that_are_not_always_created(self):
        rest = """#include <pthread.h>
#include <stdatomic.h>
_Bool __VERIFIER_nondet_bool(void);
atomic_int go, x, y, z;
int seen;
pthread_t one, two;
static void *sets_x(void *a) { x = 1; return 0; }
static void *sets_y(void *a) { y = 1; return 0; }
static void *is_private(void *a) { seen = 7; return 0; }
static void *goes(void *a) { go = 1; return 0; }
static void *may_create(void *a) { if (go) pthread_create(&two, 0, sets_x, 0); z = 1; return 0; }
static void *creates_creator(void *a) { if (go) pthread_create(&two, 0, may_create, 0); return 0; }
static void *twice(void *a) { for (int i = 0; i < 2; i++) if (go) pthread_create(&two, 0, sets_x, 0); return 0; }
static void *joins(void *a) {
  pthread_t mine = 0;
  if (go) { pthread_create(&mine, 0, sets_x, 0); pthread_join(mine, 0); y = x; }
  return 0;
}
int main(void) { BODY return 0; }
"""
        go = "pthread_create(&one, 0, goes, 0); "
        for name, body, expected in (
                ("never", "if (x) pthread_create(&one, 0, sets_y, 0);", {"x=0 y=0"}),
                ("arms", go + "if (go) pthread_create(&two, 0, sets_x, 0); else pthread_create(&two, 0, sets_y, 0);", {"x=0 y=1", "x=1 y=0"}),
                ("its own memory", go + "if (go) pthread_create(&two, 0, is_private, 0);", {"seen=0", "seen=7"}),
                ("another thread", go + "pthread_create(&two, 0, may_create, 0);", {"x=0 z=1", "x=1 z=1"}),
                ("a creator", go + "pthread_create(&two, 0, creates_creator, 0);", {"x=0 z=0", "x=1 z=1"}),
                ("a loop", go + "pthread_create(&two, 0, twice, 0);", {"x=0", "x=1"}),
                ("a join", go + "pthread_create(&two, 0, joins, 0);", {"x=0 y=0", "x=1 y=1"}),
                ("chosen", "if (__VERIFIER_nondet_bool()) pthread_create(&one, 0, sets_x, 0);", {"x=0", "x=1"})):
            path = self.file("created.c", rest.replace("BODY", body))
            observed = [part.split("=")[0] for part in min(expected).split()]
            flags = [text for one in observed for text in ("--global", one)]
            for model, states in self.states(path, "--model", "sc,tso,pso,rc11,imm,armv8,power", *flags).items():
                self.assertEqual({" ".join(f"{one}={state[one]}" for one in observed) for state in states}, expected, f"{name} {model}")
        path = self.file("created.c", rest.replace("BODY", go + "if (go) pthread_create(&two, 0, sets_x, 0); else z = x;"))
        self.assertIn("2 states", self.answers("compare", path, "--models", "sc,rc11", "--global", "x"))

    def test_a_target_for_models_of_all_processors(self):
        threads, weak = SHAPES["SB"]
        path = self.file("SB.c", c_program(threads, "seq_cst", "seq_cst"))
        # Without a target C stays C. The exchange that x86 has for a seq_cst store empties the buffer, as C's own store does.
        for more in [[], ["--target", "x86"]]:
            self.assertFalse(any(weak.items() <= state.items() for state in self.states(path, "--model", "tso", *more)["tso"]))
        # A model of one's own sees the instructions of the target only.
        model = self.file("nofence.cat", "empty DMB.ISH as none\n")
        fenced = self.file("fence.c", c_program([["W x", "atomic_thread_fence(memory_order_seq_cst);", "R y r0"]]))
        self.assertIn("DMB.ISH", self.fails(INPUT, "executions", fenced, "--model", model))
        self.assertEqual(self.states(fenced, "--model", model, "--target", "aarch64"), {"nofence": []})
        self.assertIn("aarch64", self.fails(USAGE, "executions", path, "--model", "armv8", "--target", "x86"))
        self.assertIn("--target", self.fails(USAGE, "executions", path, "--model", "sc", "--target", "vax"))
        self.assertIn("only C", self.fails(USAGE, "litmus", self.sb, "--model", "sc", "--target", "aarch64"))
        self.assertIn("--target", self.fails(USAGE, "litmus", self.sb, "--engine", "explicit", "--target", "x86"))

    def test_a_model_that_c_cannot_be_lowered_to(self):
        path = self.file("SB.c", c_program(SHAPES["SB"][0]))
        self.states(path, "--model", "sc")  # is there a C front end?
        message = self.fails(USAGE, "executions", path, "--model", "lkmm")
        self.assertIn("no lowering from C to lkmm is known", message)
        self.assertIn("is a model for aarch64", self.fails(USAGE, "litmus", self.sb, "--model", "armv8"))

    def test_compare_c_on_processors(self):
        path = self.file("IRIW.c", c_program(SHAPES["IRIW"][0], "release", "acquire"))
        self.states(path, "--model", "sc")  # is there a C front end?
        text = self.answers("compare", path, "--models", "rc11,power,armv8,riscv,x86tso")
        self.assertIn("allowed by rc11 power; not by armv8 riscv x86tso", text)

    def test_compare_does_not_hide_failed_assertions(self):
        threads, weak = SHAPES["SB"]
        failing = " && ".join(f"{name} == {value}" for name, value in weak.items())
        path = self.file("asserted.c", "#include <assert.h>\n" + c_program(threads)
                         .replace("  pthread_join(t[1], 0);\n", f"  pthread_join(t[1], 0);\n  assert(!({failing}));\n"))
        self.states(path, "--model", "sc")  # is there a C front end?
        out = self.folder / "asserted.json"
        text = self.answers("compare", path, "--models", "sc,tso,rc11", "--json", out)
        self.assertIn("a failed assertion  allowed by tso rc11; not by sc\n", text)
        self.assertEqual(json.loads(out.read_text())[0]["failed assertion"], ["tso", "rc11"])
        self.assertIn("under all of them", self.answers("compare", path, "--models", "tso,rc11"))
        ran = self.start("executions", path, "--model", "tso")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("note: under tso an assertion fails in 1 execution", ran.stderr)
        self.assertEqual(self.start("executions", path, "--model", "sc").stderr, "")

    def test_compare_says_where_bounds_were_reached(self):
        path = self.file("rounds.c", c_program([["for (int i = 0; i < 4; i += 1 + atomic_load(&y))", "W x"], ["R x r0"]]))
        self.states(path, "--model", "sc", "--unroll", "6")  # is there a C front end?
        out = self.folder / "rounds.json"
        ran = self.start("compare", path, "--models", "sc,tso", "--json", out)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("no difference in what was found\n  states may be missing under sc tso", ran.stdout)
        self.assertEqual(json.loads(out.read_text())[0]["incomplete"], ["sc", "tso"])
        self.assertIn("  no difference\n", self.answers("compare", path, "--models", "sc,tso", "--unroll", "6"))

    def test_pictures_of_lowered_programs(self):
        path = self.file("MP.c", c_program(SHAPES["MP"][0], "release", "acquire"))
        out = self.folder / "mp.html"
        self.states(path, "--model", "power", "--html", out)
        self.assertIn("LWSYNC", out.read_text())

    # Many files

    def test_a_folder_and_a_list_of_files(self):
        by_name = without_times(self.answers("litmus", self.mp, self.sb, "--model", "x86tso"))
        self.assertEqual(without_times(self.answers("litmus", self.folder, "--model", "x86tso")), by_name)
        listed = self.file("tests.txt", "# a comment\nMP.litmus\n\nSB.litmus\n")
        self.assertEqual(without_times(self.answers("litmus", "@" + listed, "--model", "x86tso")), by_name)
        self.assertIn("nolist", self.fails(INPUT, "litmus", "@nolist"))

    def test_a_list_with_a_file_that_is_not_there(self):
        listed = self.file("tests.txt", "SB.litmus\nnowhere.litmus\n")
        self.assertIn("nowhere.litmus", self.fails(INPUT, "litmus", "@" + listed))

    def test_the_same_twice_and_with_more_threads(self):
        for folder, model in [("x86", "x86tso,sc"), ("c11", "rc11"), ("aarch64", "armv8")]:
            outputs = []
            for number, jobs in enumerate(["1", "1", "2"]):
                out = self.folder / f"{folder}{number}.json"
                log = self.answers("litmus", LITMUS / folder, "--model", model, "--jobs", jobs, "--json", out)
                answers = json.loads(out.read_text())
                for one in answers:
                    for name in list(one):
                        if "time" in name or "seconds" in name:
                            del one[name]
                outputs.append((without_times(log), json.dumps(answers)))
            self.assertGreater(len(outputs[0][0]), 1000)
            self.assertEqual(outputs[0], outputs[1])
            self.assertEqual(outputs[0], outputs[2])

    def test_pages_are_the_same_twice(self):
        first, second = self.folder / "1.html", self.folder / "2.html"
        for page in (first, second):
            self.answers("litmus", self.sb, "--model", "x86tso", "--html", page)
        self.assertEqual(first.read_bytes(), second.read_bytes())


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    arguments, rest = parser.parse_known_args()
    BINARY = str(pathlib.Path(arguments.binary).resolve())
    result = unittest.main(argv=[sys.argv[0], *rest], exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return 1 if failed or result.testsRun == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
