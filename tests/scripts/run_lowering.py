#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""What C becomes on processors, from outside. Random small tests with C's atomics are asked under the models of processors,
through Heddle's own lowering, and compared with three other answers:

- the same test written by this script in the assembly of each processor, through the litmus front ends: the same states and,
  where no loop with exclusives is involved, the same number of executions;
- the same test under sc: every state it has is there on every processor;
- the same test under rc11 without its axiom against load buffering, which compilers do not implement: every state of every
  processor is there. Under x86tso the whole of rc11 must hold.

  tests/scripts/run_lowering.py --binary build/dev/bin/heddle [--count 500] [--seed 1]
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOCATIONS = ["x", "y", "z"]
LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]
UPDATES = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
FENCES = ["acquire", "release", "acq_rel", "seq_cst"]
ACQUIRES = ("acquire", "acq_rel", "seq_cst")
RELEASES = ("release", "acq_rel", "seq_cst")


def acquires(order):
    return order in ACQUIRES


def releases(order):
    return order in RELEASES


# A test is a list of threads, a thread a list of steps (kind, register, place, order, operand, expected). `operand` is a number
# or the name of a register that was read before. The step "if" (register, number, steps) may be the last.

class Maker:
    def __init__(self, rng):
        self.rng = rng

    def order(self, orders):
        """Relaxed more often than not: weak states need it."""
        return orders[0] if self.rng.random() < 0.5 else self.rng.choice(orders)

    def step(self, registers, places):
        rng = self.rng
        kind = rng.choice(["load"] * 7 + ["store"] * 6 + ["fence", "add", "swap", "cas"])
        place = rng.choice(places)
        operand = rng.choice(registers) if registers and rng.random() < 0.3 else rng.choice([1, 2])
        if kind == "fence":
            return (kind, None, None, rng.choice(FENCES), None, None)
        if kind == "store":
            return (kind, None, place, self.order(STORES), operand, None)
        register = f"r{len(registers)}"
        registers.append(register)
        if kind == "load":
            return (kind, register, place, self.order(LOADS), None, None)
        return (kind, register, place, self.order(UPDATES), rng.choice([1, 2]), rng.choice([0, 1]))

    def thread(self, places, length):
        registers, steps = [], []
        while len(steps) < length:
            steps.append(self.step(registers, places))
        if registers and self.rng.random() < 0.25:
            steps.append(("if", self.rng.choice(registers), self.rng.choice([0, 1]),
                          [("store", None, self.rng.choice(places), self.order(STORES), 1, None)]))
        return steps, registers

    def test(self):
        threads = self.rng.choice([2, 2, 2, 3, 3, 4])
        places = LOCATIONS[:self.rng.choice([1, 2, 2, 2, 2, 3])]
        lengths = {2: [2, 3, 3, 4], 3: [2, 2, 3], 4: [1, 2, 2]}[threads]
        return [self.thread(places, self.rng.choice(lengths)) for _ in range(threads)]


def has_exclusives(test, kinds):
    return any(step[0] in kinds for steps, _ in test for step in steps)


def observed(test):
    """Places and registers, in the order the states are compared by."""
    return LOCATIONS + [(number, register) for number, (_, registers) in enumerate(test) for register in registers]


# C

def c_step(step, thread, indent="  "):
    kind, register, place, order, operand, expected = step
    order = f"memory_order_{order}"
    if kind == "load":
        return [f"{indent}int {register} = atomic_load_explicit({place}, {order});"]
    if kind == "store":
        return [f"{indent}atomic_store_explicit({place}, {operand}, {order});"]
    if kind == "fence":
        return [f"{indent}atomic_thread_fence({order});"]
    if kind == "add":
        return [f"{indent}int {register} = atomic_fetch_add_explicit({place}, {operand}, {order});"]
    if kind == "swap":
        return [f"{indent}int {register} = atomic_exchange_explicit({place}, {operand}, {order});"]
    failure = {"memory_order_acq_rel": "memory_order_acquire", "memory_order_release": "memory_order_relaxed"}.get(order, order)
    name = f"e{expected}_{thread}_{register}"
    return [f"{indent}int {register} = atomic_compare_exchange_strong_explicit({place}, {name}, {operand}, {order}, {failure});"]


def c_text(name, test):
    lines, initial = [], []
    for number, (steps, _) in enumerate(test):
        parameters = [f"atomic_int *{place}" for place in LOCATIONS]
        body = []
        for step in steps:
            if step[0] == "if":
                body.append(f"  if ({step[1]} == {step[2]}) {{")
                for inner in step[3]:
                    body += c_step(inner, number, "    ")
                body.append("  }")
                continue
            if step[0] == "cas":
                cell = f"e{step[5]}_{number}_{step[1]}"
                parameters.append(f"int *{cell}")
                initial.append(f"{cell}={step[5]};")
            body += c_step(step, number)
        lines += ["", f"P{number} ({', '.join(parameters)}) {{", *body, "}"]
    names = [one if isinstance(one, str) else f"{one[0]}:{one[1]}" for one in observed(test)]
    return "\n".join([f"C {name}", "", "{ " + " ".join(initial) + " }", *lines, "",
                      f"locations [{' '.join(one + ';' for one in names)}]", "exists (x=0)", ""]), names


# Assembly. Each class says how a step is written; `number` is the register of a step's result.

class Assembly:
    exclusive_kinds = ()  # which updates are written with exclusives here

    def __init__(self):
        self.lines = []
        self.labels = 0

    def put(self, *lines):
        self.lines += lines

    def finish(self):
        pass


class X86(Assembly):
    architecture, model = "X86", "x86tso"
    names = ["ESI", "EDI", "ECX", "EDX", "R8D"]

    def load(self, to, place, order):
        self.put(f"MOV {to},[{place}]")

    def store(self, place, value, order):
        value = value if isinstance(value, str) else f"${value}"
        if order == "seq_cst":
            self.put(f"MOV EBX,{value}", f"XCHG [{place}],EBX")
        else:
            self.put(f"MOV [{place}],{value}")

    def fence(self, order):
        if order == "seq_cst":
            self.put("MFENCE")

    def update(self, kind, to, place, order, value, expected):
        if kind == "add":
            self.put(f"MOV {to},${value}", f"LOCK XADD [{place}],{to}")
        elif kind == "swap":
            self.put(f"MOV {to},${value}", f"XCHG [{place}],{to}")
        else:
            self.labels += 1
            self.put(f"MOV EAX,${expected}", f"MOV EBX,${value}", f"LOCK CMPXCHG [{place}],EBX", f"MOV {to},$0", "CMP EAX,$%d" % expected,
                     f"JNE {self.prefix}{self.labels}", f"MOV {to},$1", f"{self.prefix}{self.labels}:")

    def guard(self, register, value):
        self.labels += 1
        self.put(f"CMP {register},${value}", f"JNE {self.prefix}{self.labels}")
        return f"{self.prefix}{self.labels}"


class AArch64(Assembly):
    architecture, model = "AArch64", "armv8"
    names = ["W0", "W1", "W2", "W3", "W4"]

    def load(self, to, place, order):
        self.put(f"{'LDAR' if acquires(order) else 'LDR'} {to},[{self.place[place]}]")

    def store(self, place, value, order):
        if not isinstance(value, str):
            self.put(f"MOV W9,#{value}")
            value = "W9"
        self.put(f"{'STLR' if releases(order) else 'STR'} {value},[{self.place[place]}]")

    def fence(self, order):
        self.put("DMB ISHLD" if order == "acquire" else "DMB ISH")

    def update(self, kind, to, place, order, value, expected):
        suffix = ("A" if acquires(order) else "") + ("L" if releases(order) else "")
        self.put(f"MOV W9,#{value}")
        if kind == "cas":
            self.put(f"MOV W10,#{expected}", f"CAS{suffix} W10,W9,[{self.place[place]}]", f"CMP W10,#{expected}", f"CSET {to},EQ")
        else:
            self.put(f"{'LDADD' if kind == 'add' else 'SWP'}{suffix} W9,{to},[{self.place[place]}]")

    def guard(self, register, value):
        self.labels += 1
        self.put(f"CMP {register},#{value}", f"B.NE {self.prefix}{self.labels}")
        return f"{self.prefix}{self.labels}"

    place = {"x": "X20", "y": "X21", "z": "X22"}


class Power(Assembly):
    architecture, model = "PPC", "power"
    names = ["r5", "r6", "r7", "r8", "r9"]
    place = {"x": "r20", "y": "r21", "z": "r22"}
    exclusive_kinds = ("add", "swap", "cas")
    done = "r30"

    def load(self, to, place, order):
        if order == "seq_cst":
            self.put("sync")
        self.put(f"lwz {to},0({self.place[place]})")
        if acquires(order):
            self.labels += 1
            self.put(f"cmpw {to},{to}", f"bne {self.prefix}{self.labels}", f"{self.prefix}{self.labels}:", "isync")

    def store(self, place, value, order):
        if order != "relaxed":
            self.put("sync" if order == "seq_cst" else "lwsync")
        if not isinstance(value, str):
            self.put(f"li r11,{value}")
            value = "r11"
        self.put(f"stw {value},0({self.place[place]})")

    def fence(self, order):
        self.put("sync" if order == "seq_cst" else "lwsync")

    def update(self, kind, to, place, order, value, expected):
        if releases(order):
            self.put("sync" if order == "seq_cst" else "lwsync")
        self.exclusives(kind, to, self.place[place], value, expected)
        if acquires(order):
            self.put("lwsync")

    def exclusives(self, kind, to, place, value, expected):
        self.put(f"li r11,{value}")
        if kind == "add":
            self.put(f"lwarx {to},r0,{place}", f"add r11,{to},r11", f"stwcx. r11,r0,{place}", f"bne {self.prefix}X")
        elif kind == "swap":
            self.put(f"lwarx {to},r0,{place}", f"stwcx. r11,r0,{place}", f"bne {self.prefix}X")
        else:
            self.labels += 1
            self.put(f"li {to},0", f"lwarx r12,r0,{place}", f"cmpwi r12,{expected}", f"bne {self.prefix}{self.labels}",
                     f"stwcx. r11,r0,{place}", f"bne {self.prefix}X", f"li {to},1", f"{self.prefix}{self.labels}:")

    def guard(self, register, value):
        self.labels += 1
        self.put(f"cmpwi {register},{value}", f"bne {self.prefix}{self.labels}")
        return f"{self.prefix}{self.labels}"

    def finish(self):
        self.put(f"li {self.done},1", f"{self.prefix}X:")


class RiscV(Assembly):
    architecture, model = "RISCV", "riscv"
    names = ["x10", "x11", "x12", "x13", "x14"]
    place = {"x": "x20", "y": "x21", "z": "x22"}
    exclusive_kinds = ("cas",)
    done = "x30"

    def load(self, to, place, order):
        if order == "seq_cst":
            self.put("fence rw,rw")
        self.put(f"lw {to},0({self.place[place]})")
        if acquires(order):
            self.put("fence r,rw")

    def store(self, place, value, order):
        if releases(order):
            self.put("fence rw,w")
        if not isinstance(value, str):
            self.put(f"li x5,{value}")
            value = "x5"
        self.put(f"sw {value},0({self.place[place]})")

    def fence(self, order):
        self.put({"acquire": "fence r,rw", "release": "fence rw,w", "acq_rel": "fence.tso", "seq_cst": "fence rw,rw"}[order])

    def update(self, kind, to, place, order, value, expected):
        suffix = "".join([".aq" if acquires(order) else "", ".rl" if releases(order) else ""])
        self.put(f"li x5,{value}")
        if kind != "cas":
            self.put(f"amo{kind}.w{suffix} {to},x5,({self.place[place]})")
            return
        self.labels += 1
        load = "lr.w" + (".aq.rl" if order == "seq_cst" else ".aq" if acquires(order) else "")
        store = "sc.w" + (".rl" if releases(order) else "")
        self.put(f"li {to},0", f"li x6,{expected}", f"{load} x7,0({self.place[place]})", f"bne x7,x6,{self.prefix}{self.labels}",
                 f"{store} x8,x5,0({self.place[place]})", f"bne x8,x0,{self.prefix}X", f"li {to},1", f"{self.prefix}{self.labels}:")

    def guard(self, register, value):
        self.labels += 1
        self.put(f"li x6,{value}", f"bne {register},x6,{self.prefix}{self.labels}")
        return f"{self.prefix}{self.labels}"

    def finish(self):
        self.put(f"li {self.done},1", f"{self.prefix}X:")


def assembly_text(kind, name, test):
    columns, initial, done = [], [], []
    for number, (steps, _) in enumerate(test):
        out = kind()
        out.prefix = f"L{number}"
        for place, register in getattr(kind, "place", {}).items():
            initial.append(f"{number}:{register}={place};")

        def write(step):
            kind_of, register, place, order, operand, expected = step
            to = out.names[int(register[1:])] if register else None
            value = out.names[int(operand[1:])] if isinstance(operand, str) else operand
            if kind_of == "load":
                out.load(to, place, order)
            elif kind_of == "store":
                out.store(place, value, order)
            elif kind_of == "fence":
                out.fence(order)
            else:
                out.update(kind_of, to, place, order, value, expected)

        for step in steps:
            if step[0] != "if":
                write(step)
                continue
            label = out.guard(out.names[int(step[1][1:])], step[2])
            for inner in step[3]:
                write(inner)
            out.put(f"{label}:")
        if has_exclusives([test[number]], kind.exclusive_kinds):
            out.finish()
            done.append(f"{number}:{kind.done}=1")
        columns.append(out.lines)
    height = max(len(lines) for lines in columns)
    rows = [" " + " | ".join(f"P{number}" for number in range(len(test))) + " ;"]
    for row in range(height):
        rows.append(" " + " | ".join(lines[row] if row < len(lines) else "" for lines in columns) + " ;")
    names = []
    for one in observed(test):
        if isinstance(one, str):
            names.append(one)
        else:
            register = kind.names[int(one[1][1:])]
            names.append(f"{one[0]}:{register.replace('W', 'X') if kind is AArch64 else register}")
    kept = ["filter (" + " /\\ ".join(done) + ")"] if done else []
    locations = [f"locations [{' '.join(one + ';' for one in names)}]"]
    places = " ".join(f"{place}=0;" for place in LOCATIONS)
    return "\n".join([f"{kind.architecture} {name}", "{", places, *initial, "}", *rows, *locations, *kept, "exists (x=0)", ""]), names


TARGETS = [X86, AArch64, Power, RiscV]


def bare(name):
    return name.strip("[]")


def states(answer, names):
    """The final states as tuples in the order of `names`, and the number of executions."""
    found = set()
    for state in answer["states"]:
        values = {bare(name): value for name, value in state["values"].items()}
        found.add(tuple(values[name] for name in names))
    return found, sum(state["executions"] for state in answer["states"])


def ask(binary, folder, models, more=()):
    out = folder / "answers.json"
    ran = subprocess.run([binary, "litmus", folder, "--model", ",".join(models), "--json", out, "--unroll", "1", *more],
                         capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"heddle litmus {folder}: exit {ran.returncode}\n{ran.stderr[:3000]}")
    answers = {}
    for one in json.loads(out.read_text()):
        answers[one["test"], one["model"]] = one
    return answers


def without_no_thin_air(folder):
    text = (ROOT / "models" / "rc11.cat").read_text()
    weaker = re.sub(r"(?m)^acyclic po \| rf as no-thin-air$", "", text)
    assert weaker != text, "models/rc11.cat has changed"
    path = folder / "rc11-buffering.cat"
    path.write_text(weaker)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="write the tests to this folder and leave them there")
    arguments = parser.parse_args()
    maker = Maker(random.Random(arguments.seed))
    tests = {f"T{number}": maker.test() for number in range(arguments.count)}
    with tempfile.TemporaryDirectory(prefix="heddle-lowering-") as made:
        top = pathlib.Path(arguments.keep or made)
        models = [kind.model for kind in TARGETS]
        weaker = without_no_thin_air(pathlib.Path(made))
        names = {}
        for language in ["C", *[kind.architecture for kind in TARGETS]]:
            (top / language).mkdir(parents=True, exist_ok=True)
        for name, test in tests.items():
            text, names[name, "C"] = c_text(name, test)
            (top / "C" / f"{name}.litmus").write_text(text)
            for kind in TARGETS:
                text, names[name, kind.model] = assembly_text(kind, name, test)
                (top / kind.architecture / f"{name}.litmus").write_text(text)
        lowered = ask(arguments.binary, top / "C", ["sc", "rc11", str(weaker), *models])
        failures = {}
        weak = dict.fromkeys(models, 0)
        counted = 0

        def fail(name, model, text):
            failures.setdefault(name, []).append(f"{name} {model}: {text}")

        for kind in TARGETS:
            model = kind.model
            reference = "rc11" if kind is X86 else weaker.stem
            written = ask(arguments.binary, top / kind.architecture, [model])
            for name, test in tests.items():
                mine, executions = states(lowered[name, model], names[name, "C"])
                theirs, their_executions = states(written[name, model], names[name, model])
                strong, _ = states(lowered[name, "sc"], names[name, "C"])
                allowed, _ = states(lowered[name, reference], names[name, "C"])
                if mine != theirs:
                    fail(name, model, f"lowered only {sorted(mine - theirs)}, assembly only {sorted(theirs - mine)}")
                elif not has_exclusives(test, ("cas",)):  # C's expected value has a place of its own
                    counted += 1
                    if executions != their_executions:
                        fail(name, model, f"{executions} executions, in assembly {their_executions}")
                if not strong <= mine:
                    fail(name, model, f"not {sorted(strong - mine)}, which sc has")
                if not mine <= allowed:
                    fail(name, model, f"{sorted(mine - allowed)}, which {reference} forbids")
                weak[model] += mine != strong
        print("more states than sc:", ", ".join(f"{count} under {model}" for model, count in weak.items()),
              f"; numbers of executions compared: {counted}")
        for lines in list(failures.values())[:20]:
            print("\n".join(lines))
        if min(weak.values()) == 0:
            sys.exit("a model without a weak state: nothing was tested")
        print(f"{len(tests) - len(failures)} passed, {len(failures)} failed")
        return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
