#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Two memory models on random litmus tests: where do they differ?

  bench/litmus/models.py --heddle build/release/bin/heddle --language aarch64 --models armv8,/path/to/aarch64.cat
  bench/litmus/models.py --heddle … --language c11 --models rc11,/path/to/rc11.cat --tests 5000 --seed 7 --keep FOLDER

The languages are x86, aarch64, ppc, arm, riscv, mips, c11 and lkmm, and x86-sizes and aarch64-sizes (bytes and halfwords). Each test has two or three threads of a few instructions on
two or three places: loads, stores, fences, updates, exclusives, dependencies. All tests of a run are enumerated by one process for
both models. Compared are the final states with their numbers of executions, and whether a flag that tells of a race (or undefined
behaviour) is raised; with --counts-too the numbers, too. A test on which the models differ is printed with the states that only one
of them has; --keep puts those tests into a folder. Exits with 1 if there is a difference, and with 2 if a test was refused.

--without leaves out kinds of instructions (what a difference that is known comes from): --without update,cas. --replace OLD NEW changes
the text of the second model and of what lies beside it before it is read: where that model was written for events of another
kind (one event for an update, say), so that the rest of it can be compared. A test that is not done within --time seconds counts
as undecided.
"""

import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PLACES = ["x", "y", "z"]


class Thread:
    """Registers of a thread: fresh ones for what is read, and the last one read for dependencies."""

    def __init__(self, number, chance):
        self.number = number
        self.chance = chance
        self.lines = []
        self.seen = []
        self.labels = 0
        self.registers = 0

    def fresh(self):
        self.registers += 1
        return self.registers - 1

    def source(self):
        return self.chance.choice(self.seen) if self.seen else None


class Assembly:
    """What assembly languages share: a column per thread, addresses in registers, dependencies through an exclusive or."""
    head = ""
    kinds = {}

    def __init__(self, chance, without):
        self.chance = chance
        self.kinds = {kind: weight for kind, weight in self.kinds.items() if kind not in without}
        self.values = collections.Counter()
        self.places = []

    def value(self, place):
        self.values[place] += 1
        return self.values[place]

    def thread(self, number, length, places):
        thread = Thread(number, self.chance)
        made = 0
        while made < length:
            kind = self.chance.choices(list(self.kinds), list(self.kinds.values()))[0]
            if kind in ("addr", "data", "ctrl", "ctrlfence") and thread.source() is None:
                kind = "load"
            place = self.chance.choice(places)
            getattr(self, kind)(thread, place)
            if kind != "fence":
                made += 1
        return thread

    def test(self, name, threads, length, places):
        self.places = places
        columns = [self.thread(i, self.chance.randint(1 if threads > 2 else 2, length), places) for i in range(threads)]
        rows = max(len(column.lines) for column in columns)
        widths = [max(len(line) for line in column.lines + ["P0"]) for column in columns]
        table = [" | ".join(f"P{i}".ljust(width) for i, width in enumerate(widths)) + " ;"]
        for row in range(rows):
            cells = [column.lines[row] if row < len(column.lines) else "" for column in columns]
            table.append(" | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " ;")
        initial = " ".join(self.initial(i, places) for i in range(threads))
        observed = [f"{column.number}:{self.observed(register)};" for column in columns for register in column.seen]
        observed += [f"{place};" for place in places]
        return (f"{self.head} {name}\n{{ {initial} }}\n" + "\n".join(table) +
                f"\nlocations [{' '.join(observed)}]\nexists (true)\n")

    def initial(self, thread, places):
        raise NotImplementedError

    def observed(self, register):
        raise NotImplementedError


class X86(Assembly):
    head = "X86"
    kinds = {"load": 4, "store": 5, "fence": 2, "exchange": 2, "increment": 1, "plainupdate": 1, "cas": 1}
    registers = ["EBX", "ECX", "EDX", "ESI", "EDI"]

    def initial(self, thread, places):
        return ""

    def observed(self, register):
        return register

    def register(self, thread):
        return self.registers[thread.fresh() % len(self.registers)]

    def load(self, thread, place):
        register = self.register(thread)
        thread.lines.append(f"MOV {register},[{place}]")
        thread.seen.append(register)

    def store(self, thread, place):
        thread.lines.append(f"MOV [{place}],${self.value(place)}")

    def fence(self, thread, _place):
        thread.lines.append(self.chance.choice(["MFENCE", "MFENCE", "SFENCE", "LFENCE"]))

    def exchange(self, thread, place):
        register = self.register(thread)
        thread.lines += [f"MOV {register},${self.value(place)}", f"XCHG [{place}],{register}"]
        thread.seen.append(register)

    def increment(self, thread, place):
        thread.lines.append(f"LOCK INC [{place}]")

    def plainupdate(self, thread, place):
        thread.lines.append(f"{self.chance.choice(['INC', 'DEC'])} [{place}]")

    def cas(self, thread, place):
        register = self.register(thread)
        thread.lines += [f"MOV EAX,${self.chance.randint(0, 1)}", f"MOV {register},${self.value(place)}",
                         f"LOCK CMPXCHG [{place}],{register}"]
        thread.seen.append("EAX")


class AArch64(Assembly):
    head = "AArch64"
    kinds = {"load": 4, "store": 4, "fence": 2, "addr": 2, "data": 2, "ctrl": 2, "ctrlfence": 1, "update": 2, "exclusive": 2,
             "cas": 1, "noret": 1, "dependentupdate": 1, "ownstore": 0.3}

    def initial(self, thread, places):
        return " ".join(f"{thread}:X{20 + i}={place};" for i, place in enumerate(places))

    def observed(self, register):
        return f"X{register}"

    def at(self, place):
        return f"X{20 + PLACES.index(place)}"

    def load(self, thread, place):
        register = thread.fresh()
        thread.lines.append(f"{self.chance.choice(['LDR', 'LDR', 'LDAR', 'LDAPR'])} W{register},[{self.at(place)}]")
        thread.seen.append(register)

    def store(self, thread, place):
        register = thread.fresh()
        thread.lines += [f"MOV W{register},#{self.value(place)}",
                         f"{self.chance.choice(['STR', 'STR', 'STLR'])} W{register},[{self.at(place)}]"]

    def fence(self, thread, _place):
        if self.chance.random() < 0.2:
            thread.lines.append("ISB")
            return
        domain = self.chance.choice(["SY", "SY", "NSH", "ISH", "OSH"])
        kind = self.chance.choice(["", "LD", "ST"])
        thread.lines.append(f"{self.chance.choice(['DMB', 'DMB', 'DSB'])} {kind or domain if domain == 'SY' else domain + kind}")

    def addr(self, thread, place):
        source, index, register = thread.source(), thread.fresh(), thread.fresh()
        thread.lines.append(f"EOR W{index},W{source},W{source}")
        if self.chance.random() < 0.5:
            thread.lines.append(f"LDR W{register},[{self.at(place)},W{index},SXTW]")
            thread.seen.append(register)
        else:
            thread.lines += [f"MOV W{register},#{self.value(place)}", f"STR W{register},[{self.at(place)},W{index},SXTW]"]

    def data(self, thread, place):
        source, register = thread.source(), thread.fresh()
        thread.lines += [f"EOR W{register},W{source},W{source}", f"ADD W{register},W{register},#{self.value(place)}",
                         f"STR W{register},[{self.at(place)}]"]

    def ctrl(self, thread, place, fence=""):
        thread.labels += 1
        label = f"L{thread.number}{thread.labels}"
        thread.lines += [f"CBNZ W{thread.source()},{label}", f"{label}:"] + ([fence] if fence else [])
        if self.chance.random() < 0.5:
            self.store(thread, place)
        else:
            self.load(thread, place)

    def ctrlfence(self, thread, place):
        self.ctrl(thread, place, "ISB")

    def update(self, thread, place):
        value, register = thread.fresh(), thread.fresh()
        name = self.chance.choice(["SWP", "LDADD"]) + self.chance.choice(["", "A", "L", "AL"])
        thread.lines += [f"MOV W{value},#{self.value(place)}", f"{name} W{value},W{register},[{self.at(place)}]"]
        thread.seen.append(register)

    def cas(self, thread, place):
        expected, value = thread.fresh(), thread.fresh()
        name = "CAS" + self.chance.choice(["", "A", "L", "AL"])
        thread.lines += [f"MOV W{expected},#{self.chance.randint(0, 1)}", f"MOV W{value},#{self.value(place)}",
                         f"{name} W{expected},W{value},[{self.at(place)}]"]
        thread.seen.append(expected)

    def noret(self, thread, place):
        value = thread.fresh()
        thread.lines += [f"MOV W{value},#{self.value(place)}", f"STADD{self.chance.choice(['', 'L'])} W{value},[{self.at(place)}]"]

    def dependentupdate(self, thread, place):
        """What an update writes, or where, depends on a read."""
        source = thread.source()
        if source is None:
            self.update(thread, place)
            return
        value, register = thread.fresh(), thread.fresh()
        name = self.chance.choice(["SWP", "LDADD"]) + self.chance.choice(["", "A", "L", "AL"])
        thread.lines.append(f"EOR W{value},W{source},W{source}")
        if self.chance.random() < 0.5:
            thread.lines += [f"ADD W{value},W{value},#{self.value(place)}", f"{name} W{value},W{register},[{self.at(place)}]"]
        else:
            base, written = thread.fresh(), thread.fresh()
            thread.lines += [f"ADD X{base},{self.at(place)},X{value}", f"MOV W{written},#{self.value(place)}",
                             f"{name} W{written},W{register},[X{base}]"]
        thread.seen.append(register)

    def exclusive(self, thread, place, between=None):
        register, value, status = thread.fresh(), thread.fresh(), thread.fresh()
        thread.lines.append(f"{self.chance.choice(['LDXR', 'LDAXR'])} W{register},[{self.at(place)}]")
        if between:
            between(thread, place)
        thread.lines += [f"MOV W{value},#{self.value(place)}",
                         f"{self.chance.choice(['STXR', 'STLXR'])} W{status},W{value},[{self.at(place)}]"]
        thread.seen += [register, status]

    def ownstore(self, thread, place):
        self.exclusive(thread, place, self.store)


class X86Sizes(X86):
    """Bytes and halves of places of 16 bits."""
    kinds = {"load": 5, "store": 5, "fence": 2, "exchange": 1}
    registers = ["AX", "BX", "CX", "DX"]

    def test(self, name, threads, length, places):
        return super().test(name, threads, length, places).replace("{ ", "{ " + "".join(f"uint16_t {p}; " for p in places), 1)

    def observed(self, register):
        return f"E{register[0]}X"

    def part(self, place):
        return self.chance.choice([f"{place}", f"{place}+1"])

    def load(self, thread, place):
        register = self.register(thread)
        is_byte = self.chance.random() < 0.5
        thread.lines.append(f"MOV {register[0]}L,[{self.part(place)}]" if is_byte else f"MOV {register},[{place}]")
        thread.seen.append(register)

    def store(self, thread, place):
        if self.chance.random() < 0.5:
            thread.lines.append(f"MOVB [{self.part(place)}],${self.value(place)}")
        else:
            thread.lines.append(f"MOVW [{place}],${257 * self.value(place)}")

    def exchange(self, thread, place):
        register = self.register(thread)
        thread.lines += [f"MOV {register},${257 * self.value(place)}", f"XCHG [{place}],{register}"]
        thread.seen.append(register)


class AArch64Sizes(AArch64):
    """Bytes and halves of places of 16 bits."""
    kinds = {"load": 5, "store": 5, "fence": 2, "data": 2, "ctrl": 1}

    def test(self, name, threads, length, places):
        return super().test(name, threads, length, places).replace("{ ", "{ " + "".join(f"uint16_t {p}; " for p in places), 1)

    def part(self, place):
        return self.chance.choice([f"[{self.at(place)}]", f"[{self.at(place)},#1]"])

    def load(self, thread, place):
        register = thread.fresh()
        kind = self.chance.random()
        if kind < 0.4:
            thread.lines.append(f"LDRB W{register},{self.part(place)}")
        else:
            name = self.chance.choice(["LDRH", "LDRH", "LDARH", "LDAPRH", "LDARB"])
            thread.lines.append(f"{name} W{register},[{self.at(place)}]")
        thread.seen.append(register)

    def store(self, thread, place, made=""):
        register = thread.fresh()
        kind = self.chance.random()
        is_byte = kind < 0.5
        value = self.value(place) * (1 if is_byte else 257)
        thread.lines += [made.format(register, value)] if made else [f"MOV W{register},#{value}"]
        if kind < 0.4:
            thread.lines.append(f"STRB W{register},{self.part(place)}")
        else:
            name = "STLRB" if is_byte else self.chance.choice(["STRH", "STRH", "STLRH"])
            thread.lines.append(f"{name} W{register},[{self.at(place)}]")

    def data(self, thread, place):
        source, index = thread.source(), thread.fresh()
        thread.lines.append(f"EOR W{index},W{source},W{source}")
        self.store(thread, place, f"ADD W{{}},W{index},#{{}}")


class PPC(Assembly):
    head = "PPC"
    kinds = {"load": 4, "store": 4, "fence": 3, "addr": 2, "data": 2, "ctrl": 1, "ctrlfence": 1, "exclusive": 1, "ownstore": 0.3}
    fences = ["sync", "lwsync", "lwsync", "eieio", "isync"]
    ctrl_fence = "isync"

    def initial(self, thread, places):
        return " ".join(f"{thread}:r{25 + i}={place};" for i, place in enumerate(places))

    def observed(self, register):
        return f"r{register}"

    def at(self, place):
        return f"r{25 + PLACES.index(place)}"

    def fresh(self, thread):
        return thread.fresh() + 1

    def load(self, thread, place):
        register = self.fresh(thread)
        thread.lines.append(f"lwz r{register},0({self.at(place)})")
        thread.seen.append(register)

    def store(self, thread, place):
        register = self.fresh(thread)
        thread.lines += [f"li r{register},{self.value(place)}", f"stw r{register},0({self.at(place)})"]

    def fence(self, thread, _place):
        thread.lines.append(self.chance.choice(self.fences))

    def addr(self, thread, place):
        source, index, register = thread.source(), self.fresh(thread), self.fresh(thread)
        thread.lines.append(f"xor r{index},r{source},r{source}")
        if self.chance.random() < 0.5:
            thread.lines.append(f"lwzx r{register},r{index},{self.at(place)}")
            thread.seen.append(register)
        else:
            thread.lines += [f"li r{register},{self.value(place)}", f"stwx r{register},r{index},{self.at(place)}"]

    def data(self, thread, place):
        source, register = thread.source(), self.fresh(thread)
        thread.lines += [f"xor r{register},r{source},r{source}", f"addi r{register},r{register},{self.value(place)}",
                         f"stw r{register},0({self.at(place)})"]

    def ctrl(self, thread, place, fence=""):
        thread.labels += 1
        label = f"L{thread.number}{thread.labels}"
        thread.lines += [f"cmpwi r{thread.source()},0", f"beq {label}", f"{label}:"] + ([fence] if fence else [])
        if self.chance.random() < 0.5:
            self.store(thread, place)
        else:
            self.load(thread, place)

    def ctrlfence(self, thread, place):
        self.ctrl(thread, place, self.ctrl_fence)

    def ownstore(self, thread, place):
        self.exclusive(thread, place, self.store)

    def exclusive(self, thread, place, between=None):
        register, value = self.fresh(thread), self.fresh(thread)
        thread.labels += 1
        label = f"L{thread.number}{thread.labels}"
        thread.lines.append(f"lwarx r{register},r0,{self.at(place)}")
        if between:
            between(thread, place)
        thread.lines += [f"li r{value},{self.value(place)}", f"stwcx. r{value},r0,{self.at(place)}", f"bne {label}", f"{label}:"]
        thread.seen.append(register)


class Arm(PPC):
    head = "ARM"
    fences = ["DMB", "DSB", "DMB ST", "DSB ST", "DMB ISH", "ISB"]
    ctrl_fence = "ISB"

    def initial(self, thread, places):
        return " ".join(f"{thread}:R{10 + i}={place};" for i, place in enumerate(places))

    def observed(self, register):
        return f"R{register}"

    def at(self, place):
        return f"R{10 + PLACES.index(place)}"

    def fresh(self, thread):
        return thread.fresh() % 10

    def load(self, thread, place):
        register = self.fresh(thread)
        thread.lines.append(f"LDR R{register},[{self.at(place)}]")
        thread.seen.append(register)

    def store(self, thread, place):
        register = self.fresh(thread)
        thread.lines += [f"MOV R{register},#{self.value(place)}", f"STR R{register},[{self.at(place)}]"]

    def addr(self, thread, place):
        source, index, register = thread.source(), self.fresh(thread), self.fresh(thread)
        thread.lines.append(f"EOR R{index},R{source},R{source}")
        if self.chance.random() < 0.5:
            thread.lines.append(f"LDR R{register},[R{index},{self.at(place)}]")
            thread.seen.append(register)
        else:
            thread.lines += [f"MOV R{register},#{self.value(place)}", f"STR R{register},[R{index},{self.at(place)}]"]

    def data(self, thread, place):
        source, register = thread.source(), self.fresh(thread)
        thread.lines += [f"EOR R{register},R{source},R{source}", f"ADD R{register},R{register},#{self.value(place)}",
                         f"STR R{register},[{self.at(place)}]"]

    def ctrl(self, thread, place, fence=""):
        thread.labels += 1
        label = f"L{thread.number}{thread.labels}"
        thread.lines += [f"CMP R{thread.source()},#0", f"BNE {label}", f"{label}:"] + ([fence] if fence else [])
        if self.chance.random() < 0.5:
            self.store(thread, place)
        else:
            self.load(thread, place)

    def exclusive(self, thread, place, between=None):
        register, value, status = self.fresh(thread), self.fresh(thread), self.fresh(thread)
        thread.lines.append(f"LDREX R{register},[{self.at(place)}]")
        if between:
            between(thread, place)
        thread.lines += [f"MOV R{value},#{self.value(place)}", f"STREX R{status},R{value},[{self.at(place)}]"]
        thread.seen += [register, status]


class RiscV(Assembly):
    head = "RISCV"
    kinds = {"load": 4, "store": 4, "fence": 2, "addr": 2, "data": 2, "ctrl": 2, "update": 2, "exclusive": 1,
             "ownstore": 0.3, "annotated": 1}

    def initial(self, thread, places):
        return " ".join(f"{thread}:x{28 + i}={place};" for i, place in enumerate(places))

    def observed(self, register):
        return f"x{register}"

    def at(self, place):
        return f"x{28 + PLACES.index(place)}"

    def fresh(self, thread):
        return thread.fresh() + 5

    def load(self, thread, place):
        register = self.fresh(thread)
        thread.lines.append(f"lw x{register},0({self.at(place)})")
        thread.seen.append(register)

    def store(self, thread, place):
        register = self.fresh(thread)
        thread.lines += [f"ori x{register},x0,{self.value(place)}", f"sw x{register},0({self.at(place)})"]

    def annotated(self, thread, place):
        register = self.fresh(thread)
        if self.chance.random() < 0.5:
            thread.lines.append(f"lw.aq x{register},0({self.at(place)})")
            thread.seen.append(register)
        else:
            thread.lines += [f"ori x{register},x0,{self.value(place)}", f"sw.rl x{register},0({self.at(place)})"]

    def fence(self, thread, _place):
        sets = ["r", "w", "rw"]
        thread.lines.append("fence.tso" if self.chance.random() < 0.15 else
                            f"fence {self.chance.choice(sets)},{self.chance.choice(sets)}")

    def addr(self, thread, place):
        source, index, register = thread.source(), self.fresh(thread), self.fresh(thread)
        thread.lines += [f"xor x{index},x{source},x{source}", f"add x{index},{self.at(place)},x{index}"]
        if self.chance.random() < 0.5:
            thread.lines.append(f"lw x{register},0(x{index})")
            thread.seen.append(register)
        else:
            thread.lines += [f"ori x{register},x0,{self.value(place)}", f"sw x{register},0(x{index})"]

    def data(self, thread, place):
        source, register = thread.source(), self.fresh(thread)
        thread.lines += [f"xor x{register},x{source},x{source}", f"ori x{register},x{register},{self.value(place)}",
                         f"sw x{register},0({self.at(place)})"]

    def ctrl(self, thread, place):
        thread.labels += 1
        label = f"L{thread.number}{thread.labels}"
        thread.lines += [f"bne x{thread.source()},x0,{label}", f"{label}:"]
        if self.chance.random() < 0.5:
            self.store(thread, place)
        else:
            self.load(thread, place)

    def update(self, thread, place):
        value, register = self.fresh(thread), self.fresh(thread)
        name = self.chance.choice(["amoswap.w", "amoadd.w"]) + self.chance.choice(["", ".aq", ".rl", ".aq.rl"])
        thread.lines += [f"ori x{value},x0,{self.value(place)}", f"{name} x{register},x{value},({self.at(place)})"]
        thread.seen.append(register)

    def exclusive(self, thread, place, between=None):
        register, value, status = self.fresh(thread), self.fresh(thread), self.fresh(thread)
        marks = ["", "", ".aq", ".rl", ".aq.rl"]
        thread.lines.append(f"lr.w{self.chance.choice(marks)} x{register},0({self.at(place)})")
        if between:
            between(thread, place)
        thread.lines += [f"ori x{value},x0,{self.value(place)}",
                         f"sc.w{self.chance.choice(marks)} x{status},x{value},0({self.at(place)})"]
        thread.seen += [register, status]

    def ownstore(self, thread, place):
        self.exclusive(thread, place, self.store)


class Mips(Assembly):
    head = "MIPS"
    kinds = {"load": 4, "store": 4, "fence": 2, "data": 2, "exclusive": 1}

    def initial(self, thread, places):
        return " ".join(f"{thread}:r{20 + i}={place};" for i, place in enumerate(places))

    def observed(self, register):
        return f"r{register}"

    def at(self, place):
        return f"r{20 + PLACES.index(place)}"

    def fresh(self, thread):
        return thread.fresh() + 2

    def load(self, thread, place):
        register = self.fresh(thread)
        thread.lines.append(f"lw r{register},0({self.at(place)})")
        thread.seen.append(register)

    def store(self, thread, place):
        register = self.fresh(thread)
        thread.lines += [f"ori r{register},r0,{self.value(place)}", f"sw r{register},0({self.at(place)})"]

    def fence(self, thread, _place):
        thread.lines.append("sync")

    def data(self, thread, place):
        source, register = thread.source(), self.fresh(thread)
        thread.lines += [f"xor r{register},r{source},r{source}", f"ori r{register},r{register},{self.value(place)}",
                         f"sw r{register},0({self.at(place)})"]

    def exclusive(self, thread, place):
        register, value = self.fresh(thread), self.fresh(thread)
        thread.lines += [f"ll r{register},0({self.at(place)})", f"ori r{value},r0,{self.value(place)}",
                         f"sc r{value},0({self.at(place)})"]
        thread.seen += [register, value]


class C(Assembly):
    """Tests in C: a function per thread; what is inside an `if` depends on it."""
    head = "C"
    loads = stores = ()

    def test(self, name, threads, length, places):
        self.places = places
        functions = []
        observed = []
        for i in range(threads):
            thread = self.thread(i, self.chance.randint(1 if threads > 2 else 2, length), places)
            parameters = ", ".join(self.parameter(place) for place in places)
            declared = "".join(f" int r{register};" for register in range(thread.registers))
            functions.append(f"P{i} ({parameters}) {{\n {declared}\n  " + "\n  ".join(thread.lines) + "\n}\n")
            observed += [f"{i}:r{register};" for register in thread.seen]
        observed += [f"{place};" for place in places]
        return f"{self.head} {name}\n{{ }}\n" + "\n".join(functions) + f"\nlocations [{' '.join(observed)}]\nexists (true)\n"

    def parameter(self, place):
        return f"int *{place}"

    def simple(self, thread, place):
        (self.load if self.chance.random() < 0.5 else self.store)(thread, place)

    def ctrl(self, thread, place):
        source = thread.source()
        thread.lines.append(f"if (r{source}) {{")
        self.simple(thread, place)
        thread.lines.append("}")

    def data(self, thread, place):
        source = thread.source()
        self.store(thread, place, f"(r{source} ^ r{source}) + ")


class C11(C):
    kinds = {"load": 4, "store": 4, "fence": 2, "ctrl": 2, "data": 1, "update": 2, "cas": 1, "both": 0.5}
    loads = ["relaxed", "relaxed", "acquire", "seq_cst"]
    failures = ["relaxed", "acquire", "seq_cst"]
    stores = ["relaxed", "relaxed", "release", "seq_cst"]
    updates = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
    plain = False

    def __init__(self, chance, without):
        self.plain = "plain" not in without and chance.random() < 0.4
        super().__init__(chance, without)

    def is_plain(self, place):
        return self.plain and place == "x"

    def parameter(self, place):
        expected = ", int *e0, int *e1, int *e2" if place == "x" else ""
        return (f"int *{place}" if self.is_plain(place) else f"atomic_int *{place}") + expected

    def load(self, thread, place):
        register = thread.fresh()
        thread.lines.append(f"r{register} = *{place};" if self.is_plain(place) else
                            f"r{register} = atomic_load_explicit({place}, memory_order_{self.chance.choice(self.loads)});")
        thread.seen.append(register)

    def store(self, thread, place, value=""):
        value = f"{value}{self.value(place)}"
        thread.lines.append(f"*{place} = {value};" if self.is_plain(place) else
                            f"atomic_store_explicit({place}, {value}, memory_order_{self.chance.choice(self.stores)});")

    def fence(self, thread, _place):
        thread.lines.append(f"atomic_thread_fence(memory_order_{self.chance.choice(self.updates[1:])});")

    def update(self, thread, place):
        if self.is_plain(place):
            self.simple(thread, place)
            return
        register = thread.fresh()
        name = self.chance.choice(["exchange", "fetch_add"])
        thread.lines.append(f"r{register} = atomic_{name}_explicit({place}, {self.value(place)}, "
                            f"memory_order_{self.chance.choice(self.updates)});")
        thread.seen.append(register)

    def cas(self, thread, place):
        if self.is_plain(place):
            self.simple(thread, place)
            return
        register = thread.fresh()
        source = thread.source()
        value = f"(r{source} ^ r{source}) + " if source is not None and self.chance.random() < 0.3 else ""
        thread.lines.append(f"r{register} = atomic_compare_exchange_{self.chance.choice(['strong', 'strong', 'weak'])}_explicit("
                            f"{place}, e{thread.number}, {value}{self.value(place)}, "
                            f"memory_order_{self.chance.choice(self.updates)}, memory_order_{self.chance.choice(self.failures)});")
        thread.seen.append(register)

    def both(self, thread, place):
        """An access that is not atomic, whatever the place is accessed by elsewhere."""
        if self.chance.random() < 0.5:
            register = thread.fresh()
            thread.lines.append(f"r{register} = *{place};")
            thread.seen.append(register)
        else:
            thread.lines.append(f"*{place} = {self.value(place)};")


class Linux(C):
    kinds = {"load": 4, "store": 4, "plain": 4, "fence": 4, "ctrl": 2, "data": 1, "addr": 1, "update": 2, "cas": 1, "noreturn": 1,
             "ordered": 2, "rcu": 1, "srcu": 0.5, "critical": 1, "trylock": 0.3}

    def parameter(self, place):
        return f"int *{place}" + (", spinlock_t *l, struct srcu_struct *s" if place == "x" else "")

    def load(self, thread, place):
        register = thread.fresh()
        thread.lines.append(f"r{register} = READ_ONCE(*{place});")
        thread.seen.append(register)

    def store(self, thread, place, value=""):
        thread.lines.append(f"WRITE_ONCE(*{place}, {value}{self.value(place)});")

    def simple(self, thread, place):
        self.chance.choice([self.load, self.store, self.plain])(thread, place)

    def plain(self, thread, place):
        if self.chance.random() < 0.5:
            register = thread.fresh()
            thread.lines.append(f"r{register} = *{place};")
            thread.seen.append(register)
        else:
            thread.lines.append(f"*{place} = {self.value(place)};")

    def fence(self, thread, _place):
        thread.lines.append(self.chance.choice(["smp_mb();", "smp_rmb();", "smp_wmb();", "smp_mb__after_spinlock();",
                                                "smp_mb__before_atomic();", "smp_mb__after_atomic();", "synchronize_rcu();",
                                                "smp_mb__after_unlock_lock();", "barrier();", "synchronize_srcu(s);",
                                                "smp_mb__after_srcu_read_unlock();"]))

    def ordered(self, thread, place):
        kind = self.chance.random()
        if kind < 0.5:
            register = thread.fresh()
            thread.lines.append(f"r{register} = smp_load_acquire({place});")
            thread.seen.append(register)
        else:
            thread.lines.append(f"smp_store_{'release' if kind < 0.9 else 'mb'}({'' if kind < 0.9 else '*'}{place}, "
                                f"{self.value(place)});")

    def addr(self, thread, place):
        """The address of an access depends on a read."""
        source = thread.source()
        where = f"*({place} + (r{source} ^ r{source}))"
        kind = self.chance.random()
        if kind < 0.5:
            register = thread.fresh()
            thread.lines.append(f"r{register} = " + (f"READ_ONCE({where});" if kind < 0.25 else f"{where};"))
            thread.seen.append(register)
        else:
            thread.lines.append(f"WRITE_ONCE({where}, {self.value(place)});" if kind < 0.75 else f"{where} = {self.value(place)};")

    def update(self, thread, place):
        register = thread.fresh()
        order = self.chance.choice(["", "_acquire", "_release", "_relaxed"])
        if self.chance.random() < 0.6:
            thread.lines.append(f"r{register} = xchg{order}({place}, {self.value(place)});")
        else:
            name = self.chance.choice(["atomic_fetch_add", "atomic_add_return"])
            thread.lines.append(f"r{register} = {name}{order}({self.value(place)}, {place});")
        thread.seen.append(register)

    def cas(self, thread, place):
        register = thread.fresh()
        if self.chance.random() < 0.7:
            order = self.chance.choice(["", "_acquire", "_release", "_relaxed"])
            thread.lines.append(f"r{register} = cmpxchg{order}({place}, {self.chance.randint(0, 1)}, {self.value(place)});")
        else:
            thread.lines.append(f"r{register} = atomic_add_unless({place}, {self.value(place)}, 1);")
        thread.seen.append(register)

    def noreturn(self, thread, place):
        thread.lines.append(f"atomic_add({self.value(place)}, {place});")

    def around(self, thread, place, before, after):
        thread.lines.append(before)
        for _ in range(self.chance.randint(1, 2)):
            self.simple(thread, self.chance.choice(self.places))
        thread.lines.append(after)

    def rcu(self, thread, place):
        self.around(thread, place, "rcu_read_lock();", "rcu_read_unlock();")

    def srcu(self, thread, place):
        cookie = thread.fresh()
        self.around(thread, place, f"r{cookie} = srcu_read_lock(s);", f"srcu_read_unlock(s, r{cookie});")

    def critical(self, thread, place):
        self.around(thread, place, "spin_lock(l);", "spin_unlock(l);")

    def trylock(self, thread, place):
        register = thread.fresh()
        if self.chance.random() < 0.5:
            thread.lines.append(f"r{register} = spin_is_locked(l);")
        else:
            thread.lines += [f"r{register} = spin_trylock(l);", f"if (r{register}) {{"]
            self.simple(thread, place)
            thread.lines += ["spin_unlock(l);", "}"]
        thread.seen.append(register)


LANGUAGES = {"x86": X86, "x86-sizes": X86Sizes, "aarch64": AArch64, "aarch64-sizes": AArch64Sizes, "ppc": PPC, "arm": Arm, "riscv": RiscV, "mips": Mips, "c11": C11, "lkmm": Linux}


def tells_race(flag):
    return "rac" in flag or flag == "*undef*"


def parse_log(text):
    """Test → for each model in turn (states, number of executions, whether a race is flagged)."""
    results = collections.defaultdict(list)
    for block in re.split(r"(?m)^Test ", text)[1:]:
        states = re.search(r"(?m)^States (\d+)\n((?:.*;\n)*)", block)
        if not states:
            continue
        observation = re.search(r"(?m)^Observation \S+ \S+ (\d+) (\d+)", block)
        is_cut = re.search(r"(?m)^Loop ", block) is not None
        flags = re.findall(r"(?m)^Flag (.*)$", block)
        results[block.split()[0]].append((set(states.group(2).splitlines()), sum(int(n) for n in observation.groups()),
                                          any(tells_race(flag.strip()) for flag in flags), is_cut))
    return results


def replaced(model, replacements, folder):
    """The folder of the model with other text; every OLD must be somewhere."""
    folder.mkdir()
    left = {old for old, _ in replacements}
    for file in model.parent.glob("*.cat"):
        text = file.read_text()
        for old, new in replacements:
            left -= {old} if old in text else set()
            text = text.replace(old, new)
        (folder / file.name).write_text(text)
    if left:
        sys.exit(f"not found: {sorted(left)}")
    return str(folder / model.name)


def write_tests(options, folder):
    language = LANGUAGES[options.language]
    without = set(options.without.split(",")) if options.without else set()
    for number in range(options.tests):
        chance = random.Random(f"{options.seed}.{number}")
        maker = language(chance, without)
        threads = chance.choice([2, 2, 2, 3])
        places = PLACES[:chance.choice([1, 2, 2, 2, 3])]
        name = f"{options.language}-{options.seed}-{number}"
        (folder / f"{name}.litmus").write_text(maker.test(
            name, threads, options.length if threads == 2 else max(1, options.length - 1), places))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--language", required=True, choices=sorted(LANGUAGES))
    parser.add_argument("--models", required=True, help="two names or .cat files, with a comma between them")
    parser.add_argument("--tests", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--length", type=int, default=4, help="at most so many instructions of two threads; one less of three")
    parser.add_argument("--include", action="append", default=[], help="where .cat files find what they include")
    parser.add_argument("--without", default="", help="kinds of instructions to leave out")
    parser.add_argument("--counts-too", action="store_true", help="the numbers of executions must be equal, too")
    parser.add_argument("--no-flags", action="store_true", help="flags are not compared")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--time", type=int, default=10, help="seconds for each test and model")
    parser.add_argument("--replace", action="append", nargs=2, default=[], metavar=("OLD", "NEW"))
    parser.add_argument("--show", type=int, default=5, help="so many differences are printed in full")
    parser.add_argument("--keep", help="a folder for the tests on which the models differ")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write_tests(options, folder)
        models = options.models.split(",")
        asked = [models[0], replaced(pathlib.Path(models[1]), options.replace, folder / "replaced") if options.replace else models[1]]
        command = [options.heddle, "litmus", temporary, "--model", ",".join(asked), "--jobs", str(options.jobs),
                   "--time", str(options.time)]
        if not options.counts_too:
            command.append("--states")
        for path in options.include:
            command += ["--include", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        results = parse_log(done.stdout)
        refused = undecided = differing = only_first = only_second = racy = 0
        for test in sorted(folder.glob("*.litmus")):
            pair = results[test.stem]
            if len(pair) != 2:
                refused += 1
                continue
            first, second = pair
            if first[3] or second[3]:
                undecided += 1
                continue
            is_different = first[0] != second[0] or (first[2] != second[2] and not options.no_flags)
            if not is_different and not (options.counts_too and first[1] != second[1]):
                continue
            differing += 1
            only_first += bool(first[0] - second[0])
            only_second += bool(second[0] - first[0])
            racy += first[2] and second[2]
            if options.keep:
                pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
                (pathlib.Path(options.keep) / test.name).write_text(test.read_text())
            if differing <= options.show:
                print(test.read_text())
                for model, mine, other in ((models[0], first, second), (models[1], second, first)):
                    print(f"only {model}: {' '.join(sorted(mine[0] - other[0])) or 'nothing'}; "
                          f"{mine[1]} executions, {'race' if mine[2] else 'no race'}")
                print()
    print(f"{options.language}: {options.models}: {options.tests} tests, {differing} differ ({only_first} with states only the first "
          f"has, {only_second} only the second; {racy} with a race under both), {undecided} undecided, {refused} refused")
    if refused:
        sys.stderr.write(done.stderr[:4000])
    return 2 if refused else 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
