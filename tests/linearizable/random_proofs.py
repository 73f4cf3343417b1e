#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Random operations with random invariants: what is proved must not be refuted by more threads and calls than were tried first.

Operations are a few accesses to three globals, with branches, loops and atomic sections; half of the programs also have an abstract
operation. The trial before the proof has one thread and one call, so that the obligations alone have to find what is wrong; then a trial with
three threads looks for a run. Under TSO and PSO store-buffer graphs and explicit buffers (--buffers) must refute the same with two threads, and
what one of them proves the other must not refute. The last line is `N passed, N failed`, and before it how many were proved.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

PROVED, REFUTED, REFUSED, UNKNOWN = 0, 10, 3, 30
GLOBALS = ("x", "y", "z")
HEAD = """#include <assert.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static _Atomic unsigned char x, y, z;
static unsigned char state;
#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), (v), memory_order_relaxed)
"""


class Writer:
    def __init__(self, rng):
        self.rng, self.lines, self.points = rng, HEAD.splitlines(), []

    def emit(self, text):
        self.lines.append(text)
        return len(self.lines)

    def value(self):
        return self.rng.choice(["0", "1", "2", "a", "b", "a + 1", "b + 1", "a ^ 1", "a - b", "3 - a"])

    def condition(self):
        return self.rng.choice(["a == b", "a == 0", "a < b", "b < 2", "a != 1", "a < 3"])

    def statement(self, depth, is_atomic):
        """One statement; accesses that could be the effect are noted."""
        kind = self.rng.choice(["load", "load", "store", "store", "add", "cas", "if", "loop", "section", "fence", "assume"])
        place, local = self.rng.choice(GLOBALS), self.rng.choice("ab")
        pad = "  " * depth
        if kind == "load":
            self.points.append((self.emit(f"{pad}{local} = LOAD({place});"), "read"))
        elif kind == "store":
            self.points.append((self.emit(f"{pad}STORE({place}, {self.value()});"), "flush"))
        elif kind == "add":
            self.points.append((self.emit(f"{pad}{local} = atomic_fetch_add(&{place}, {self.rng.choice(['1', '255', 'b'])});"), "cas"))
        elif kind == "cas":
            self.points.append((self.emit(f"{pad}b = atomic_compare_exchange_strong(&{place}, &a, {self.value()});"), "cas"))
        elif kind == "fence":
            self.emit(f"{pad}atomic_thread_fence(memory_order_seq_cst);")
        elif kind == "assume":
            self.emit(f"{pad}__VERIFIER_assume({self.condition()});")
        elif depth < 3 and kind == "if":
            self.emit(f"{pad}if ({self.condition()}) {{")
            self.statement(depth + 1, is_atomic)
            self.emit(f"{pad}}} else {{")
            self.statement(depth + 1, is_atomic)
            self.emit(f"{pad}}}")
        elif depth < 3 and kind == "loop" and not is_atomic:
            self.emit(f"{pad}do {{")
            self.statement(depth + 1, is_atomic)
            self.points.append((self.emit(f"{pad}  a = LOAD({place});"), "read"))
            self.emit(f"{pad}}} while ({self.condition()});")
        elif kind == "section" and not is_atomic:
            self.emit(f"{pad}__VERIFIER_atomic_begin();")
            self.statement(depth + 1, True)
            self.statement(depth + 1, True)
            self.emit(f"{pad}__VERIFIER_atomic_end();")
        else:
            self.emit(f"{pad}{local} = {self.value()};")

    def operation(self, name):
        """Its points."""
        self.points = []
        self.emit(f"unsigned char {name}(unsigned char v) {{")
        self.emit("  unsigned char a = v & 3, b = 0;")
        for _ in range(self.rng.randint(0, 3)):
            self.statement(1, False)
        kind = self.rng.choice(["any", "reread", "update", "handover", "none", "none"])
        place, other = self.rng.choice(GLOBALS), self.rng.choice(GLOBALS)
        if kind == "any":
            self.emit(f"  assert({self.condition()});")
        elif kind == "reread":  # holds if nobody else writes there
            self.emit(f"  a = LOAD({place});")
            self.emit(f"  b = LOAD({place});")
            self.emit(f"  assert({self.rng.choice(['a == b', 'a <= b', 'b <= a'])});")
        elif kind == "update":  # finds what it has written, or not
            self.emit(f"  a = LOAD({place}) & 1;")
            self.emit(f"  STORE({place}, a);")
            self.emit(f"  b = LOAD({place});")
            self.emit(f"  assert({self.rng.choice(['a == b', 'b <= 1'])});")
        elif kind == "handover":  # what holds in the section may not hold behind it
            self.emit("  __VERIFIER_atomic_begin();")
            self.emit(f"  STORE({place}, {self.rng.choice(['0', '1'])});")
            self.emit(f"  a = LOAD({other});")
            self.emit("  __VERIFIER_atomic_end();")
            self.emit(f"  b = LOAD({other});")
            self.emit(f"  assert({self.rng.choice(['a == b', 'a <= b'])});")
        self.emit(f"  return {self.rng.choice(['0', '0', 'a', 'b'])};")
        self.emit("}")
        return self.points

    def invariant(self):
        atoms = ["x <= y", "x == y", "z == 0", "z <= 1", "x == 0", "(y & 1) == 0", "x + z == y", "z < 4", "x != 3", "1", "x == 0 || y == 0",
                 "z == (x != 0)", "state == x", "state <= y", "state == 0"]
        # Often something that is kept easily, so that the assertions decide.
        chosen = ["1"] if self.rng.random() < 0.5 else self.rng.sample(atoms, self.rng.randint(1, 3))
        self.emit(f"_Bool invariant(void) {{ return {' && '.join(f'({atom})' for atom in chosen)}; }}")


def make(seed):
    """A program and what is asked of it."""
    rng = random.Random(seed)
    writer = Writer(rng)
    names = ["f", "g"][:rng.randint(1, 2)]
    points = [(name, writer.operation(name)) for name in names]
    asked = ["--functions", ",".join(names), "--invariant", "invariant"]
    if rng.random() < 0.5 and all(found for _, found in points):
        for name, found in points:
            does = rng.choice(["", "state = v & 3;", "state++;", "state = 1 - state;", "__VERIFIER_assume(state == 0);"])
            writer.emit(f"unsigned char abstract_{name}(unsigned char v) {{ {does} return {rng.choice(['0', '0', 'state', 'v & 3'])}; }}")
            for line, how in rng.sample(found, min(len(found), rng.randint(1, 2))):
                asked += ["--linearization-point", f"{name}:{line}:{how}"]
        asked += ["--abstract", ",".join(f"{name}=abstract_{name}" for name in names)]
    writer.invariant()
    return "\n".join(writer.lines) + "\n", asked


def run(binary, file, asked, threads, calls, model, states):
    command = [binary, "linearizable", file, *asked, "--threads", str(threads), "--operations", str(calls), "--model", model, "--max-states",
               str(states)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    passed = failed = 0
    verdicts, compared = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "operations.c"
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            text, asked = make(seed)
            file.write_text(text)
            model = ("sc", "sc", "tso", "pso")[seed % 4]
            first = run(arguments.binary, file, asked, 1, 1, model, 200000)
            verdicts[first.returncode] = verdicts.get(first.returncode, 0) + 1
            wrong = first.returncode not in (PROVED, REFUTED, REFUSED, 30, 31, 32)
            if model != "sc":
                graph, explicit = (run(arguments.binary, file, [*asked, "--buffers", buffers], 2, 2, model, 200000).returncode
                                   for buffers in ("graph", "explicit"))
                decided = {graph, explicit} <= {PROVED, REFUTED, UNKNOWN}
                compared[explicit] = compared.get(explicit, 0) + decided
                wrong = wrong or (decided and (graph == REFUTED) != (explicit == REFUTED))
            if first.returncode == PROVED and not wrong:
                wrong = any(run(arguments.binary, file, asked, threads, calls, model, 200000).returncode != PROVED
                            for threads, calls in ((2, 2), (3, 1)))
            passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
            if wrong:
                print(f"FAILED seed {seed} {model} {' '.join(asked)}\n{text}\n{first.stdout}{first.stderr}", flush=True)
    print("; ".join(f"exit code {code}: {count}" for code, count in sorted(verdicts.items())))
    print("explicit buffers: " + "; ".join(f"exit code {code}: {count}" for code, count in sorted(compared.items())))
    if not verdicts.get(PROVED):
        failed += 1
        print("FAILED nothing was proved")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
