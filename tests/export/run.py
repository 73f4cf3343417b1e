#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Exports the programs of tests/export/programs and has other tools answer; all must agree with Heddle.

Each line of the table: program, what is defined, and whether the assertions hold under sc, tso and pso. For each model the
program is exported as the machine and through store-buffer graphs:

  promela  SPIN generates a verifier, which is compiled and run
  c        compiled without a warning by gcc and clang, read again by Heddle under sc, and run a few times
  chc      z3 solves the clauses (those marked in the table only: larger ones are too much for it)
  kiv      compared with what stands in tests/export/golden, and looked at: as many operations as the graph has edges, each
           fixing all of the state after it (KIV itself is in no package)
  drawings of the graphs as DOT, SVG and HTML, by Graphviz
  refusals what cannot be exported is refused with its place
  wide     Promela with numbers of 64 bits as two each

The last line is `N passed, N failed`.
"""
import argparse
import pathlib
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree

from tools import Failure, call, spin

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
ALL, NONE, SC, NOT_PSO = (True, True, True), (False, False, False), (True, False, False), (True, True, False)
MODELS = ("sc", "tso", "pso")
# chc: the models under which z3 is asked.
TASKS = [
    ("sb.c", [], SC, MODELS),
    ("sb.c", ["FENCED"], ALL, MODELS),
    ("mp.c", [], NOT_PSO, MODELS),
    ("mp.c", ["FENCED"], ALL, MODELS),
    ("early.c", [], SC, MODELS),
    ("early.c", ["OWN"], ALL, ()),
    ("pointers.c", [], SC, MODELS),
    ("pointers.c", ["OWN"], ALL, ()),
    ("peterson.c", [], SC, ("sc",)),
    ("peterson.c", ["FENCED"], ALL, ()),
    ("dekker.c", [], SC, ()),
    ("dekker.c", ["FENCED"], ALL, ()),
    ("spinlock.c", [], ALL, MODELS),
    ("spinlock.c", ["BROKEN"], NONE, MODELS),
    ("ticket.c", [], ALL, ()),
    ("ticket.c", ["BROKEN"], NONE, ()),
    ("mutex.c", [], ALL, MODELS),
    ("mutex.c", ["BROKEN"], NONE, MODELS),
    ("rwlock.c", [], ALL, ()),
    ("rwlock.c", ["BROKEN"], NONE, ()),
    ("barrier.c", [], ALL, ()),
    ("barrier.c", ["BROKEN"], NONE, ()),
    ("condition.c", [], ALL, ("sc",)),
    ("condition.c", ["BROKEN"], NONE, ()),
    ("once.c", [], ALL, ()),
    ("once.c", ["BROKEN"], NONE, ()),
    ("once.hir", [], ALL, ()),
    ("twice.hir", [], NONE, ()),
    ("detach.c", [], NOT_PSO, ("sc",)),
    ("detach.c", ["BROKEN"], NONE, ()),
    ("compare.c", [], ALL, ("sc",)),
    ("compare.c", ["BROKEN"], NONE, ("sc",)),
    ("treiber.c", [], ALL, ("sc",)),
    ("treiber.c", ["BROKEN"], NONE, ("sc",)),
    ("arithmetic.c", [], ALL, ()),
    ("arithmetic.c", ["BROKEN"], NONE, ()),
]
# A loop that stores without emptying the buffer has no store-buffer graph.
HAS_NO_GRAPH = {("dekker.c", ())}
ONLY_SC = {"arithmetic.c"}  # about operations, with 256 choices each: buffers would only make it slow
COMPILERS = ("gcc", "clang-19")
READ_AS_MACHINE = {"sb.c", "mp.c"}
PROVED, VIOLATED = 0, 10
BUFFER = 6  # holds the stores of all programs here but those of loops


class Exports:
    """One program, exported and answered in each language; the answers are whether the assertions hold."""

    def __init__(self, heddle, folder, limit):
        self.heddle, self.folder, self.limit = heddle, folder, limit

    def translate(self, program, defines, model, via, language, extra=()):
        command = [self.heddle, "translate", program, "--to", language, "--model", model, "--data-model", "ILP32", *extra]
        if via:
            command += ["--via", "store-buffer-graph"]
        command += ["--", *(f"-D{name}" for name in defines)] if defines else []
        return call(command, self.limit).stdout

    def verify(self, program, defines, model):
        command = [self.heddle, "verify", program, "--model", model, "--data-model", "ILP32"]
        command += ["--", *(f"-D{name}" for name in defines)] if defines else []
        return self.answer(call(command, self.limit, accepts=(PROVED, VIOLATED)).returncode)

    @staticmethod
    def answer(code):
        return code == PROVED

    def promela(self, text):
        """Whether nothing fails, and the kind of failure that SPIN names; an assertion of the program comes first."""
        search = spin(text, self.limit, self.folder)
        return search.holds, None if search.holds else search.kinds[0]

    def horn(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".smt2", dir=self.folder) as file:
            file.write(text)
            file.flush()
            said = call(["z3", f"-T:{self.limit}", file.name], self.limit + 10, accepts=(0, 1)).stdout.strip()
        if said not in ("sat", "unsat"):
            raise Failure(f"z3 says '{said}'")
        return said == "sat"

    def c(self, text, holds, runs, reads, compilers):
        """Compiled without a warning, read again, and run: a run of a correct program never fails."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            source = pathlib.Path(folder) / "export.c"
            source.write_text(text)
            for compiler in compilers:
                for mode in ([], ["-DHEDDLE_RUN"]):
                    call([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", *mode, "-c", "-o", "export.o", source.name],
                         self.limit, cwd=folder)
            code = PROVED if holds else VIOLATED
            if reads:
                code = call([self.heddle, "verify", source, "--model", "sc"], self.limit,
                            accepts=(PROVED, VIOLATED)).returncode
            # A program with an error may as well wait for ever: its runs would tell nothing.
            if not holds:
                runs = 0
            if runs:
                call(["gcc", "-std=c11", "-O1", "-pthread", "-DHEDDLE_RUN", "-o", "export", source.name], self.limit, cwd=folder)
            for seed in range(runs):
                done = call(["./export", str(seed)], self.limit, cwd=folder, accepts=(0, 1))
                if done.returncode != 0:
                    raise Failure(f"the export fails when it is run: {done.stdout}")
        return self.answer(code)


# Program, model, options of the specification, golden file.
KIV = [
    ("mp.c", "pso", [], "mp.kiv"),
    ("sb.c", "tso", ["--kiv-state", "global", "--kiv-numbers", "nat"], "sb_global.kiv"),
    ("spinlock.c", "tso", [], "spinlock.kiv"),
    ("early.c", "pso", ["--kiv-numbers", "nat"], "early.kiv"),
]
# Program, options, what is said. Each names the line.
REFUSALS = [
    ("refused.c", ["--to", "promela", "-DLOOP"], r"refused\.c:\d+:\d+: .*\[EXP-002\]"),
    ("refused.c", ["--to", "promela", "-DWIDE"], r"refused\.c:\d+:\d+: .*division.*\[EXP-030\]"),
    ("refused.c", ["--to", "promela", "-DCHOICE"], r"refused\.c:\d+:\d+: .*\[EXP-032\]"),
    ("refused.c", ["--to", "c", "-DPIECES"], r"refused\.c:\d+:\d+: .*\[EXP-006\]"),
    ("refused.c", ["--to", "c", "-DFREE"], r"refused\.c:\d+:\d+: .*\[EXP-014\]"),
    ("refused.c", ["--to", "c", "-DTIMED"], r"refused\.c:\d+:\d+: .*\[EXP-021\]"),
    ("refused.c", ["--to", "kiv", "--via", "store-buffer-graph", "-DBITS"], r"refused\.c:\d+:\d+: .*\[EXP-052\]"),
    ("refused.c", ["--to", "kiv"], r"--via store-buffer-graph.*\[USE-014\]"),
]


def check_kiv(heddle, update):
    """Failures of the specifications, one text each."""
    for file, model, options, golden in KIV:
        base = [heddle, "translate", file, "--model", model, "--via", "store-buffer-graph"]
        text = call([*base, "--to", "kiv", *options], 300, cwd=PROGRAMS).stdout
        drawn = call([*base, "--to", "dot"], 300, cwd=PROGRAMS).stdout
        edges = {name: int(count) for name, count in re.findall(r'label="(\w+): \d+ nodes, (\d+) edges"', drawn)}
        stored = HERE / "golden" / golden
        if update:
            stored.write_text(text)
        axioms = re.findall(r"^(\w+) :\n  ⊦ (\w+)\((\w+)\)\((.*)\) ↔\n    (.*);$", text, re.M)
        problems = []
        if stored.read_text() != text:
            problems.append("differs from the golden file")
        after = ("cs' = (cs.pc := cs.pc(p; ", " .mem := ") if "global" in options else ("ls' = (ls.pc := ", "mem' = ")
        for name, _, again, _, formula in axioms:
            if name != again or any(formula.count(part) != 1 for part in after):
                problems.append(f"{name} does not fix the state: {formula}")
        for function in ("first", "second"):
            steps = [name for name, family, *_ in axioms if re.fullmatch(function + r"\d+(ret)?", name) and family != "INVOP"]
            if len(steps) != edges[function]:
                problems.append(f"{len(steps)} operations of {function}, which has {edges[function]} edges")
        yield f"kiv {golden}", "; ".join(problems)


def check_kiv_sorts(heddle):
    """F31: numbers are nat or int, as asked; one below zero needs int. What is used as an address is a reference, all else a number."""
    base = [heddle, "translate", "values.c", "--model", "tso", "--via", "store-buffer-graph", "--to", "kiv", "--kiv-numbers"]
    for numbers in ("nat", "int"):
        text = call([*base, numbers], 300, cwd=PROGRAMS).stdout
        fields = dict(re.findall(r"\. \.([a-z]+)A\d+ : (\w+)", re.search(r"mkls\((.*)\);", text).group(1)))
        wanted = {"found": "ref", "seen": numbers, "unused": numbers}
        said = {name: fields.get(name) for name in wanted}
        yield f"kiv sorts {numbers}", "" if said == wanted and f"using {numbers}ref-memory" in text else f"{said}, expected {wanted}"
    refused = call([*base, "nat", "--", "-DNEGATIVE"], 300, cwd=PROGRAMS, accepts=(3,)).stderr
    line = 1 + (PROGRAMS / "values.c").read_text().splitlines().index("  x = -1;")
    yield "kiv nat below zero", "" if re.search(rf"values\.c:{line}:\d+: .*--kiv-numbers int.*\[EXP-051\]", refused) else f"says: {refused}"
    text = call([*base, "int", "--", "-DNEGATIVE"], 300, cwd=PROGRAMS).stdout
    yield "kiv int below zero", "" if "mem' = mem[x.v, [(-1)]]" in text else "the store of -1 is missing"


def check_refusals(heddle):
    for file, words, said in REFUSALS:
        options = [word for word in words if not word.startswith("-D")]
        defines = [word for word in words if word.startswith("-D")]
        done = call([heddle, "translate", file, "--model", "tso", *options, "--data-model",
                     "LP64" if "-DWIDE" in defines else "ILP32", *(["--"] + defines if defines else [])], 300, cwd=PROGRAMS,
                    accepts=(2, 3))
        yield f"refusal {' '.join(words)}", "" if re.search(said, done.stderr) else f"says: {done.stderr}"


def check_drawings(heddle):
    """The writer of message passing has one node more under pso: the second store can be flushed alone. All colours are there."""
    nodes = {}
    for model in ("tso", "pso"):
        base = [heddle, "translate", "mp.c", "--model", model, "--via", "store-buffer-graph", "--to"]
        drawn = call([*base, "dot"], 300, cwd=PROGRAMS).stdout
        nodes[model] = {name: int(count) for name, count in re.findall(r'label="(\w+): (\d+) nodes', drawn)}
        picture = xml.etree.ElementTree.fromstring(call([*base, "svg"], 300, cwd=PROGRAMS).stdout)
        page = call([*base, "html"], 300, cwd=PROGRAMS).stdout
        strokes = {element.get("stroke") for element in picture.iter() if element.get("stroke")}
        problems = []
        if not {"red", "brown", "blue"} <= strokes:
            problems.append(f"colours: {sorted(strokes)}")
        shown = sum(1 for element in picture.iter() if element.tag.endswith("}g") and element.get("class") == "node")
        if shown != sum(nodes[model].values()):
            problems.append(f"{shown} nodes of {nodes[model]}")
        if page.count("<svg") != len(nodes[model]) or page.count("</svg>") != len(nodes[model]) or "flush</span>" not in page:
            problems.append("the page lacks a graph or the legend")
        yield f"drawing {model}", "; ".join(problems)
    yield "drawing", "" if nodes["pso"]["first"] == nodes["tso"]["first"] + 1 else str(nodes)


# Beside what the table asks: the assertions that a buffer or a pool is too small, and that behaviour is undefined.
BOUNDS = [
    ("refused.c", ["--model", "sc", "-DOUTSIDE"], "undefined_behaviour"),
    ("detach.c", ["--model", "sc", "-DJOINED"], "undefined_behaviour"),
    ("mp.c", ["--model", "tso", "--pending", "1"], "bound_exceeded"),
    ("refused.c", ["--model", "sc", "--pool", "1", "-DPOOL"], "bound_exceeded"),
    ("refused.c", ["--model", "sc", "-DPOOL"], None),
]


def check_bounds(exports):
    for file, words, kind in BOUNDS:
        options = [word for word in words if not word.startswith("-D")]
        defines = [word for word in words if word.startswith("-D")]
        text = call([exports.heddle, "translate", file, "--to", "promela", "--data-model", "ILP32", *options,
                     *(["--"] + defines if defines else [])], 300, cwd=PROGRAMS).stdout
        _, found = exports.promela(text)
        yield f"bound {' '.join(words)}", "" if found == kind else f"spin reports {found}"


# Promela has numbers of 32 bits: with pointers of 64 each is two.
WIDE = [
    ("wide.c", [], ALL),
    ("wide.c", ["BROKEN"], NONE),
    ("pointers.c", [], SC),
    ("mutex.c", ["BROKEN"], NONE),
    ("once.c", [], ALL),
    ("treiber.c", [], ALL),
    ("treiber.c", ["BROKEN"], NONE),
]


def check_wide(exports):
    for file, defines, expected in WIDE:
        for (model, holds), flags in zip(zip(MODELS, expected), ([], ["--via", "store-buffer-graph"], ["--pending", str(BUFFER)])):
            text = call([exports.heddle, "translate", file, "--to", "promela", "--data-model", "LP64", "--model", model, *flags,
                         *(["--"] + [f"-D{name}" for name in defines] if defines else [])], 300, cwd=PROGRAMS).stdout
            _, found = exports.promela(text)
            yield f"wide {file} {' '.join(defines)} {model}", "" if found == (None if holds else "assertion_failed") else f"spin reports {found}"


def ways_of(file, defines):
    """The models, each with and without the reduction, in which a program is exported."""
    has_graph = (file, tuple(defines)) not in HAS_NO_GRAPH
    models = ("sc",) if file in ONLY_SC else MODELS
    return [(model, via) for model in models for via in ((False, True) if has_graph and model != "sc" else (False,))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/dev/bin/heddle", type=pathlib.Path)
    parser.add_argument("--filter", default="", help="only tasks whose name contains this")
    parser.add_argument("--to", default="verify,promela,c,chc,kiv,drawings,refusals,bounds,wide", help="what to check, with commas between them")
    parser.add_argument("--quick", action="store_true", help="one model and one way for each line and language, one compiler")
    parser.add_argument("--update", action="store_true", help="write the golden files")
    parser.add_argument("--limit", default=300, type=int, help="seconds for each call")
    arguments = parser.parse_args()
    languages = arguments.to.split(",")
    for tool in ("spin", "z3", "dot", *COMPILERS):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed (scripts/setup.sh test)")
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        exports = Exports(arguments.binary.resolve(), folder, arguments.limit)
        for what, found in (("kiv", lambda: check_kiv(exports.heddle, arguments.update)),
                            ("kiv", lambda: check_kiv_sorts(exports.heddle)),
                            ("drawings", lambda: check_drawings(exports.heddle)), ("refusals", lambda: check_refusals(exports.heddle)), ("bounds", lambda: check_bounds(exports)),
                            ("wide", lambda: check_wide(exports))):
            if what not in languages or arguments.filter:
                continue
            try:
                for name, problem in found():
                    passed += 0 if problem else 1
                    failed += 1 if problem else 0
                    if problem:
                        print(f"FAIL {name}: {problem}", flush=True)
            except Failure as why:
                failed += 1
                print(f"FAIL {what}: {why}", flush=True)
        for number, (file, defines, expected, clauses) in enumerate(TASKS):
            program = PROGRAMS / file
            ways = ways_of(file, defines)
            for model, holds in zip(MODELS, expected):
                for via in (via for one, via in ways if one == model):
                    name = f"{file} {' '.join(defines)} {model}{' reduced' if via else ''}"
                    for language in languages:
                        if language not in ("promela", "c", "chc") or arguments.filter not in f"{name} {language}" or (language == "chc" and model not in clauses):
                            continue
                        if arguments.quick and language != "chc" and (model, via) != ways[(number + languages.index(language)) % len(ways)]:
                            continue
                        try:
                            buffers = [] if via else ["--pending", BUFFER]
                            text = exports.translate(program, defines, model, via, language, buffers)
                            if language == "promela":
                                answer, kind = exports.promela(text)
                                if not answer and kind != "assertion_failed":
                                    raise Failure(f"spin reports {kind}")
                            elif language == "c":
                                # A machine's buffers as C variables are many states: small programs only.
                                reads = via or model == "sc" or file in READ_AS_MACHINE
                                compilers = (COMPILERS[number % 2],) if arguments.quick else COMPILERS
                                answer = exports.c(text, holds, runs=5, reads=reads, compilers=compilers)
                            else:
                                answer = exports.horn(text)
                            if answer != holds:
                                raise Failure(f"expected the assertions {'to hold' if holds else 'to fail'}")
                            passed += 1
                        except Failure as why:
                            failed += 1
                            print(f"FAIL {name} {language}: {why}", flush=True)
                if file in ONLY_SC and model != "sc":
                    continue
                if "verify" in languages and arguments.filter in f"{file} {' '.join(defines)} {model} verify":
                    try:
                        if exports.verify(program, defines, model) != holds:
                            raise Failure("heddle answers otherwise")
                        passed += 1
                    except Failure as why:
                        failed += 1
                        print(f"FAIL {file} {defines} {model} verify: {why}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
