#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""What a small program costs from the command line: wall time, and processor time in clang and outside of it.

Each program is verified several times; the least of each kind of time is shown, which says most on a machine that does
other things, too. Processor time is user and system. What the command has waited for itself, clang, is told apart from the
command, of whose threads the first is looked at. Nothing is asserted here.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def measure(command, seconds):
    """(exit code, wall, own processor time, that of clang) of one run, or None if it took too long."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while time.monotonic() - start < seconds:
        # Seen, but not taken away yet, so that what it used can still be read.
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
            break
        time.sleep(0.001)
    else:
        process.kill()
        process.wait()
        return None
    wall = time.monotonic() - start
    # Nanoseconds on a processor (the kernel's sched-stats.rst); what is left of the sum is of what it waited for.
    own = int(pathlib.Path(f"/proc/{process.pid}/schedstat").read_text().split()[0]) / 1e9
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, wall, own, max(0.0, usage.ru_utime + usage.ru_stime - own)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__.split("\n", 2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=pathlib.Path, help="default: examples/*.c")
    parser.add_argument("--binary", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin" / "heddle")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--time", type=float, default=10, help="seconds a run may take")
    parser.add_argument("--flags", nargs=argparse.REMAINDER, default=[], help="all that follows goes to heddle")
    arguments = parser.parse_args()
    if not arguments.binary.is_file():
        parser.error(f"{arguments.binary} does not exist; ./heddle builds it")
    programs = arguments.programs or sorted((HERE.parent / "examples").glob("*.c"))
    missing = [str(program) for program in programs if not program.is_file()]
    if missing or arguments.runs < 1:
        parser.error(f"no such program: {', '.join(missing)}" if missing else "there must be a run")
    width = max(len(program.name) for program in programs)
    print(f"{'program':{width}}  exit    wall  outside clang  in clang")
    for program in programs:
        runs = [measure([str(arguments.binary), "verify", str(program), *arguments.flags], arguments.time)
                for _ in range(arguments.runs)]
        if None in runs:
            print(f"{program.name:{width}}  took more than {arguments.time:g} s")
            continue
        wall, own, of_clang = (min(run[i] for run in runs) for i in (1, 2, 3))
        print(f"{program.name:{width}}  {runs[0][0]:4}  {wall:.3f} s  {own:11.3f} s  {of_clang:.3f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
