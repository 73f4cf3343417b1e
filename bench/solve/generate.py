#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Writes the fixed families of SAT instances: pigeonhole, parity (chains and Tseitin graphs), multiplier equivalence, random 3-SAT
at ratio 4.26.

    generate.py FOLDER [NAME ...]

Without names, all of INSTANCES. The same name gives the same file everywhere: the random numbers are our own."""
import itertools
import os
import sys


class Random:
    """splitmix64, as in src/support/rng.h."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def below(self, bound):
        return (self.next() >> 32) * bound >> 32

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


class Formula:
    def __init__(self):
        self.variables = 0
        self.clauses = []

    def new(self):
        self.variables += 1
        return self.variables

    def add(self, *clause):
        self.clauses.append(clause)

    def both(self, a, b):
        c = self.new()
        self.add(-c, a)
        self.add(-c, b)
        self.add(c, -a, -b)
        return c

    def xor(self, a, b):
        c = self.new()
        for x, y, z in ((-a, -b, -c), (a, b, -c), (a, -b, c), (-a, b, c)):
            self.add(x, y, z)
        return c

    def majority(self, a, b, c):
        m = self.new()
        for x, y in itertools.combinations((a, b, c), 2):
            self.add(-x, -y, m)
            self.add(x, y, -m)
        return m

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write(f"p cnf {self.variables} {len(self.clauses)}\n")
            file.writelines(" ".join(map(str, clause)) + " 0\n" for clause in self.clauses)


def pigeonhole(holes):
    """One pigeon more than holes."""
    f = Formula()
    at = [[f.new() for _ in range(holes)] for _ in range(holes + 1)]
    for pigeon in at:
        f.add(*pigeon)
    for hole in range(holes):
        for a, b in itertools.combinations(range(holes + 1), 2):
            f.add(-at[a][hole], -at[b][hole])
    return f


def parity(count, seed):
    """The exclusive or of the same variables, summed in two orders, is odd in one and even in the other."""
    f = Formula()
    order = [f.new() for _ in range(count)]

    def total(variables):
        result = variables[0]
        for variable in variables[1:]:
            result = f.xor(result, variable)
        return result

    f.add(total(list(order)))
    Random(seed).shuffle(order)
    f.add(-total(order))
    return f


def tseitin(nodes, seed):
    """Tseitin's formulas on a random graph of degree 4: each node wants a parity, and the sum is odd."""
    rng = Random(seed)
    f = Formula()
    edges = [[] for _ in range(nodes)]
    for _ in range(2):
        order = list(range(nodes))
        rng.shuffle(order)
        for a, b in zip(order, order[1:] + order[:1]):
            variable = f.new()
            edges[a].append(variable)
            edges[b].append(variable)
    for node in range(nodes):
        wanted = 1 if node == 0 else 0
        for signs in itertools.product((0, 1), repeat=len(edges[node])):
            if sum(signs) % 2 != wanted:
                f.add(*(-v if s else v for v, s in zip(edges[node], signs)))
    return f


def multiplier(bits, variant):
    """Two multipliers of the same numbers, the second with its operands exchanged, differ in some bit. They add up the columns
    of partial products from the front; the second one with the column reversed (variant 1), from the back (2), or both (3)."""
    f = Formula()
    left = [f.new() for _ in range(bits)]
    right = [f.new() for _ in range(bits)]

    def product(a, b, backwards, take):
        columns = [[] for _ in range(2 * bits)]
        for i, j in itertools.product(range(bits), range(bits)):
            columns[i + j].append(f.both(a[i], b[j]))
        result = []
        for k in range(2 * bits):
            column = columns[k][::-1] if backwards else columns[k]
            while len(column) > 1:
                if len(column) >= 3:
                    x, y, z = column.pop(take), column.pop(take), column.pop(take)
                    column.append(f.xor(f.xor(x, y), z))
                    carry = f.majority(x, y, z)
                else:
                    x, y = column.pop(take), column.pop(take)
                    column.append(f.xor(x, y))
                    carry = f.both(x, y)
                if k + 1 < 2 * bits:
                    columns[k + 1].append(carry)
            result.append(column[0] if column else None)
        return result

    one = product(left, right, False, 0)
    other = product(right, left, variant % 2 == 1, -1 if variant >= 2 else 0)
    f.add(*(f.xor(a, b) for a, b in zip(one, other) if a is not None and b is not None))
    return f


def random3(variables, seed):
    rng = Random(seed)
    f = Formula()
    f.variables = variables
    for _ in range(round(4.26 * variables)):
        clause = set()
        while len(clause) < 3:
            clause.add(1 + rng.below(variables))
        f.add(*(v if rng.below(2) else -v for v in sorted(clause)))
    return f


FAMILIES = {"pigeonhole": pigeonhole, "parity": parity, "tseitin": tseitin, "multiplier": multiplier, "random3": random3}

# Chosen so that CaDiCaL 1.5.3 takes between 1 and 60 seconds for each.
INSTANCES = """
pigeonhole-9 pigeonhole-10
parity-35-1 parity-36-1 parity-37-1 parity-37-3 parity-38-1 parity-40-3
tseitin-34-1 tseitin-34-2 tseitin-35-1 tseitin-36-1 tseitin-40-1
multiplier-8-0 multiplier-8-1 multiplier-8-2 multiplier-8-3 multiplier-9-0 multiplier-9-1
random3-250-1 random3-250-2 random3-255-3 random3-260-1 random3-260-2 random3-260-5 random3-270-1 random3-275-2 random3-280-2
random3-300-2 random3-400-2 random3-450-1
""".split()


def make(name):
    family, *numbers = name.split("-")
    return FAMILIES[family](*map(int, numbers))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name in sys.argv[2:] or INSTANCES:
        path = os.path.join(folder, name + ".cnf")
        if not os.path.exists(path):
            make(name).write(path)


if __name__ == "__main__":
    main()
