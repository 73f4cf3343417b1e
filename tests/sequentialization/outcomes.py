#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""How many final states small programs have, through each sequentialization and shared-memory abstraction.

The programs and the numbers are those of the litmus shapes every textbook on memory models has; the numbers are what store buffers allow. With large
bounds an abstraction must give exactly them, with small bounds no more.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Threads are separated by ||, statements by ;. F is a full fence; lower-case a to d are results.
# The numbers are for sc, tso and pso.
SHAPES = {
    "SB": ("x=1;a=y || y=1;b=x", (3, 4, 4)),
    "SB+F": ("x=1;F;a=y || y=1;F;b=x", (3, 3, 3)),
    "SB+F1": ("x=1;F;a=y || y=1;b=x", (3, 4, 4)),
    "MP": ("x=1;y=1 || a=y;b=x", (3, 3, 4)),
    "MP+F": ("x=1;F;y=1 || a=y;b=x", (3, 3, 3)),
    "LB": ("a=x;y=1 || b=y;x=1", (3, 3, 3)),
    "2+2W": ("x=1;y=2 || y=1;x=2", (3, 3, 4)),
    "R": ("x=1;y=1 || y=2;a=x", (3, 4, 4)),
    "S": ("x=2;y=1 || a=y;x=1", (3, 3, 4)),
    "n6": ("x=1;a=x;b=y || y=2;x=2", (4, 5, 6)),
    "n5": ("x=1;a=x || x=2;b=x", (4, 4, 4)),
    "own": ("x=1;a=x || y=1;b=y", (1, 1, 1)),
    "SB+rfi": ("x=1;a=x;b=y || y=1;c=y;d=x", (3, 4, 4)),
    "CoRR": ("x=1;x=2 || a=x;b=x", (6, 6, 6)),
    "CoWR": ("x=1;x=2;a=x || x=3;b=x", (5, 5, 5)),
    "IRIW": ("x=1 || y=1 || a=x;b=y || c=y;d=x", (15, 15, 15)),
    "WRC": ("x=1 || a=x;y=1 || b=y;c=x", (7, 7, 7)),
    "SB+own": ("x=1;y=1;a=x;b=z || z=1;c=y;d=x", (4, 6, 8)),
    "3SB": ("x=1;a=y || y=1;b=z || z=1;c=x", (7, 8, 8)),
    "xyx": ("x=1;y=1;x=2 || a=x;b=y;c=x", (10, 10, 12)),
    "MUTEX-MP": ("lock m;x=1;y=1;unlock m || lock m;a=x;b=y;unlock m", (2, 2, 2)),
    "LOCK-SB": ("x=1;lock m;a=y;unlock m || y=1;lock m;b=x;unlock m", (3, 3, 3)),
    "2-mutex SB": ("x=1;lock m;a=y;unlock m || y=1;lock n;b=x;unlock n", (3, 3, 3)),
    "SB2": ("x=1;x=2;a=y || y=1;y=2;b=x", (5, 9, 9)),
    "SB3": ("x=1;x=2;x=3;a=y || y=1;y=2;y=3;b=x", (7, 16, 16)),
}
MODELS = ("sc", "tso", "pso")
ABSTRACTIONS = {
    "sc": ("lazy", "sc"),
    "tso": ("lazy", "tso"),
    "pso": ("lazy", "pso"),
    "etso": ("lazy", "tso"),
    "epso": ("lazy", "pso"),
    "mu": ("eager", "sc"),
    "mu-implicit": ("eager", "sc"),
    "mu-hybrid": ("eager", "sc"),
    "mu-coarse": ("eager", "sc"),
    "mu-coarse-tso": ("eager", "tso"),
    "mu-coarse-pso": ("eager", "pso"),
    "imu-sc": ("eager", "sc"),
    "imu-tso": ("eager", "tso"),
    "imu-pso": ("eager", "pso"),
}


def statement(text):
    if text == "F":
        return "__sync_synchronize();"
    if text.startswith(("lock ", "unlock ")):
        operation, mutex = text.split()
        return f"pthread_mutex_{operation}(&{mutex});"
    return text + ";"


def program(shape):
    """Results are kept in locals until all else is done, so that they take no part in what threads see."""
    threads = [[one.strip() for one in thread.split(";")] for thread in shape.split("||")]
    lines = ["#include <pthread.h>", "int x, y, z, a = -1, b = -1, c = -1, d = -1;",
             "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;"]
    for number, thread in enumerate(threads):
        body = []
        results = []
        for text in thread:
            found = re.fullmatch(r"([a-d])=([xyz])", text)
            if found:
                body.append(f"int r{found[1]} = {found[2]};")
                results.append(f"{found[1]} = r{found[1]};")
            else:
                body.append(statement(text))
        lines.append(f"void *t{number}(void *u) {{ {' '.join(body + results)} return u; }}")
    lines.append(f"int main(void) {{ pthread_t t[{len(threads)}];")
    lines += [f"  pthread_create(&t[{i}], 0, t{i}, 0);" for i in range(len(threads))]
    lines += [f"  pthread_join(t[{i}], 0);" for i in range(len(threads))]
    lines.append("  return 0; }")
    return "\n".join(lines) + "\n"


def writes_of(shape):
    """Of the whole program, and the most to one place."""
    found = re.findall(r"\b([xyz])=\d", shape) + re.findall(r"\b([a-d])=", shape)
    found += re.findall(r"lock (\w)", shape)
    return len(found), max(found.count(one) for one in found)


def most_pending(shape, sma):
    """Entries of a buffer: of a thread (tso), of a thread and a place (pso). Results are written when nothing is read any more, and need none."""
    threads = [re.findall(r"\b([xyz])=\d", thread) for thread in shape.split("||")]
    if sma == "pso":
        return max(1, *(thread.count(one) for thread in threads for one in "xyz"))
    return max(1, *map(len, threads))


def bounds(shape, sma, is_small):
    total, most = writes_of(shape)
    if is_small:
        return ["--rounds", "1", "--writes", "2", "--queue", "2", "--clock", "2"]
    if sma.startswith("imu"):
        writes = most + 1
    else:
        writes = 4 if sma.startswith("mu-coarse") else total + 1
    if sma in ("tso", "pso"):
        return ["--rounds", "3", "--queue", str(most_pending(shape, sma))]
    return ["--rounds", "4", "--writes", str(writes), "--queue", str(most + 2), "--clock", str(total + 2)]


def count(binary, path, sma, flags, engine, seconds):
    via, model = ABSTRACTIONS[sma]
    command = [binary, "outcomes", path, "--via", via, "--sma", sma, "--model", model, "--engine", engine, "--unwind", "1",
               "--time", str(seconds), *flags]
    result = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)
    found = re.match(r"(\d+) final states?", result.stdout)
    if found is None:
        return None, (result.stdout + result.stderr).strip()
    return int(found[1]), result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--sma", action="append", choices=sorted(ABSTRACTIONS))
    parser.add_argument("--shape", action="append", choices=sorted(SHAPES))
    parser.add_argument("--quick", action="store_true", help="a few shapes, without the largest abstractions")
    parser.add_argument("--small", action="store_true", help="small bounds: no more states than there are")
    parser.add_argument("--seconds", type=int, default=120)
    options = parser.parse_args()
    left_out = set()
    if options.quick:
        options.shape = ["SB", "MP", "2+2W", "MUTEX-MP"]
        options.sma = ["sc", "tso", "etso", "epso", "mu", "mu-implicit", "mu-hybrid", "mu-coarse", "mu-coarse-tso", "mu-coarse-pso"]
        left_out = {("2+2W", "tso"), ("MUTEX-MP", "tso")}
    wrong = 0
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.shape or SHAPES:
            shape, expected = SHAPES[name]
            path = Path(folder) / "shape.c"
            path.write_text(program(shape), encoding="utf-8")
            for sma in options.sma or ABSTRACTIONS:
                if (name, sma) in left_out:
                    continue
                want = expected[MODELS.index(ABSTRACTIONS[sma][1])]
                flags = bounds(shape, sma, options.small)
                got, text = count(options.binary, str(path), sma, flags, options.engine, options.seconds)
                tried += 1
                if got is None or (got > want if options.small else got != want):
                    wrong += 1
                    print(f"{name} with {sma}: {got} final states, expected {'at most ' if options.small else ''}{want}\n{text}")
    print(f"{tried - wrong} passed, {wrong} failed")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
