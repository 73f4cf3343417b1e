#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Whatever is asked of whatever program, --time is kept and a signal is heard, and there is a verdict line. Ends with
`N passed, N failed`.

  tests/scripts/run_limits.py --binary build/dev/bin/heddle                  # a slice, with patience
  tests/scripts/run_limits.py --binary build/dev/bin/heddle --all            # hundreds, with 3.5 s for --time 2 and 2 s for SIGTERM
  tests/scripts/run_limits.py --binary build/dev/bin/heddle --all --more DIR # and the C programs below DIR

Each program is run once with --time and once without, with a signal at a moment that a seed chooses. What is too slow is run
again alone, twice at most: other programs on the machine must not count. The slice has four times as long for everything, since it
runs beside other tests.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import limit_programs  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIME = 2.0
MOST_AFTER_START = 3.5  # seconds, for --time 2
MOST_AFTER_SIGNAL = 2.0
CPU_TO_START = 0.05
VERDICT = re.compile(rb"^(PROVED|HOLDS WITHIN BOUNDS|VIOLATED|UNKNOWN|REFUTED|LINEARIZABLE|NOT [A-Z ]+|[0-9,]+ final states?) ?", re.MULTILINE)
TEST = re.compile(rb"^(Observation |UNKNOWN|[^ :]+: [^ ]+ [0-9]+ states)", re.MULTILINE)
TRANSLATED = re.compile(rb"\S")  # the program, or why not
# Bounds that are gone through in a moment are not lost by a limit that comes while larger ones are tried.
BOUNDED = (("lock_after_setup", ("--model", "rc11")), ("exchange_lock", ("--model", "imm")), ("fenced_lock", ("--model", "c11")),
           ("fetch_or", ("--model", "imm", "--property", "liveness")), ("endless_count", ("--engine", "axiomatic")),
           ("long_loop", ("--model", "rc11")), ("big_memset", ("--model", "rc11")), ("big_memcpy", ("--model", "rc11")),
           ("threads_in_turn", ("--model", "imm")), ("threads_in_turn", ("--model", "power")),
           ("queue", ("--via", "lazy")))
MOMENT = 4.0  # seconds for bounds 6, at most; what takes longer says nothing here
PROPERTIES = ("reach", "race", "deadlock", "memory", "cleanup", "overflow", "liveness")
# What else may be asked of a program, in turn.
SETTINGS = ((), ("--engine", "axiomatic"), ("--model", "tso"), ("--engine", "explicit"), ("--model", "rc11"), ("--via", "lazy"),
            ("--model", "pso", "--engine", "axiomatic"), ("--model", "imm"), ("--model", "tso", "--property", "robustness"),
            ("--unwind", "40"), ("--model", "armv8"), ("--via", "eager"), ("--model", "tso", "--via", "store-buffer-graph"),
            ("--search", "dfs"), ("--inline", "--engine", "explicit"), ("--model", "pso", "--engine", "explicit"),
            ("--engine", "bounded"), ("--model", "rc11", "--unwind", "12"), ("--via", "lazy", "--sma", "tso"), ("--model", "power"))
# Where limits were overrun once: the slice.
SLICE = (("endless_count", ()), ("endless_count", ("--engine", "axiomatic")), ("long_loop", ()), ("long_loops_6_threads", ("--model", "rc11")),
         ("recursion", ()), ("calls_of_calls", ("--engine", "axiomatic")), ("big_block", ("--model", "rc11")),
         ("slow_to_compile", ()), ("queue", ("--via", "lazy")))


@dataclasses.dataclass
class Case:
    name: str
    words: list  # command, files and options
    answer: re.Pattern = VERDICT
    parts: int = 1  # each of which has the time


@dataclasses.dataclass
class Ran:
    seconds: float  # from the start, or from the signal
    cpu: float
    code: int
    output: bytes
    errors: bytes
    was_sent: bool = True


def run(binary, words, signal_after=None, hard=60):
    start = time.monotonic()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([binary, *words], stdout=output, stderr=errors, stdin=subprocess.DEVNULL)
        # Not process.kill, which may wait for the process, and its usage would be lost.
        killer = threading.Timer(hard, os.kill, (process.pid, signal.SIGKILL))
        killer.start()
        was_sent = False
        if signal_after is not None:
            # The process is only waited for below, so that its number stays its own.
            while time.monotonic() - start < signal_after:
                if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                    break
                time.sleep(0.01)
            else:
                start = time.monotonic()
                was_sent = True
                os.kill(process.pid, signal.SIGTERM)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        killer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Ran(seconds, usage.ru_utime + usage.ru_stime, process.returncode, output.read(), errors.read(), was_sent)


def what_is_wrong(ran, case, most):
    """Nothing if it is as it should be."""
    if ran.seconds > most:
        return f"took {ran.seconds:.1f} s"
    if ran.code == -signal.SIGTERM and ran.cpu < CPU_TO_START:
        return None  # the signal came before main
    if ran.code < 0 or ran.code == 70:
        return f"ended with {ran.code}"
    if ran.code in (2, 3) and (ran.errors.startswith(b"heddle: ") or b"\nheddle: " in ran.errors):
        return None
    if not case.answer.search(ran.output):
        return f"no verdict line, code {ran.code}"
    return None


def saved_run(binary, folder):
    """What --json says of a violation with a long run."""
    path = folder / "long_loop.json"
    run(binary, ["verify", str(folder / "long_loop.c"), "--json", str(path)], hard=300)
    return path


def slice_of(folder):
    return [Case(" ".join((name, *words)), ["verify", str(folder / f"{name}.c"), *words]) for name, words in SLICE] + [
        Case("executions", ["executions", str(folder / "long_loops_6_threads.c"), "--unroll", "30"], TEST),
        Case("litmus", ["litmus", str(folder / "many_stores.litmus"), "--model", "x86tso"], TEST),
        Case("replay", ["replay", str(folder / "long_loop.json")]),
        Case("translate", ["translate", str(folder / "slow_to_compile.c")], TRANSLATED)]


def all_of(folder, more):
    cases = []
    turn = 0
    for make in limit_programs.C_PROGRAMS:
        path = str(folder / f"{make.__name__}.c")
        for settings in SETTINGS:
            asked = settings if "--property" in settings else (*settings, "--property", PROPERTIES[turn % len(PROPERTIES)])
            turn += 1
            # Every fourth: all of a program are seldom of use.
            if turn % 2 == 0 or settings == ():
                cases.append(Case(" ".join((make.__name__, *asked)), ["verify", path, *asked]))
        cases.append(Case(f"{make.__name__} outcomes", ["outcomes", path]))
        cases.append(Case(f"{make.__name__} executions", ["executions", path, "--unroll", "9", "--model", "rc11"], TEST))
        cases.append(Case(f"{make.__name__} compare", ["compare", path, "--unroll", "5", "--models", "sc,rc11"], TEST, 2))
    for model in ("sc", "x86tso"):
        for words in ((), ("--jobs", "2"), ("--engine", "axiomatic"), ("--engine", "explicit")):
            cases.append(Case(f"many_stores {model} {words}", ["litmus", str(folder / "many_stores.litmus"), "--model", model, *words], TEST))
            cases.append(Case(f"many_reads {model} {words}", ["litmus", str(folder / "many_reads.litmus"), "--model", "rc11", *words], TEST))
    cases.append(Case("replay", ["replay", str(folder / "long_loop.json")]))
    for words in ((), ("--to", "promela"), ("--to", "c"), ("--to", "svg", "--via", "store-buffer-graph", "--model", "tso")):
        for name in ("slow_to_compile", "calls_of_calls", "straight_line"):
            cases.append(Case(f"translate {name} {words}", ["translate", str(folder / f"{name}.c"), *words], TRANSLATED))
    stack = str(folder / "stack.c")
    for words in ((), ("--threads", "4", "--operations", "4"), ("--model", "tso", "--threads", "3", "--operations", "5")):
        cases.append(Case(f"linearizable {words}", ["linearizable", stack, "--object", "stack", "--functions", "push,pop", *words]))
    programs = sorted(path for place in ("examples", "tests/regress") for path in (ROOT / place).rglob("*.c"))
    programs = [path for path in programs if "linearizable" not in path.parts and "proofs" not in path.parts and "sma" not in path.parts]
    for number, path in enumerate(programs):
        if path.parts[-2] != "examples" and number % 2:
            continue
        settings = SETTINGS[number % len(SETTINGS)]
        cases.append(Case(f"{path.relative_to(ROOT)} {' '.join(settings)}", ["verify", str(path), *settings]))
    for number, path in enumerate(sorted(path for folder in more for path in pathlib.Path(folder).rglob("*") if path.suffix in (".c", ".i"))):
        settings = SETTINGS[number % len(SETTINGS)]
        cases.append(Case(f"{path.name} {' '.join(settings)}", ["verify", str(path), *settings]))
    return cases


def bounds_kept(binary, folder, words):
    """Nothing if what holds for six iterations is still known when time is up."""
    small = run(binary, [*words, "--unwind", "6"], hard=MOMENT * 4)
    if small.code != 1 or small.seconds > MOMENT:
        return None
    time_limit = max(4.0, 8 * small.seconds)  # so many times as long as was enough
    ran = run(binary, [*words, "--time", f"{time_limit:.1f}"])
    if b"nothing was established" in ran.output or ran.code == 31:
        return f"after {time_limit:.1f} s: " + ran.output.decode(errors="replace").split("\n")[0]
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--more", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--filter", default="", help="only programs whose name contains this text")
    parser.add_argument("--every", type=int, default=1, help="each so-manieth only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modes", default="time,signal")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    patience = 1 if arguments.all else 4
    binary = str(pathlib.Path(arguments.binary).resolve())
    passed = failed = 0
    slowest = []
    outside = 0
    with tempfile.TemporaryDirectory(prefix="heddle-limits-") as name:
        folder = pathlib.Path(name)
        for make in (*limit_programs.C_PROGRAMS, limit_programs.stack):
            (folder / f"{make.__name__}.c").write_text(make())
        for make in limit_programs.TESTS:
            (folder / f"{make.__name__}.litmus").write_text(make())
        saved_run(binary, folder)
        cases = all_of(folder, arguments.more) if arguments.all else slice_of(folder)
        cases = [case for case in cases if arguments.filter in case.name][:: arguments.every]
        moments = random.Random(arguments.seed)
        tasks = [(mode, case, moments.uniform(0.02, 1.9)) for case in cases for mode in arguments.modes.split(",")]

        def one(task):
            mode, case, moment = task
            if mode == "time":
                return run(binary, [*case.words, "--time", str(TIME / case.parts)])
            return run(binary, case.words, signal_after=moment)

        def judge(task, ran):
            mode, case, _ = task
            most = MOST_AFTER_START if mode == "time" else MOST_AFTER_SIGNAL
            return what_is_wrong(ran, case, most * patience)

        doubtful = []
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for task, ran in zip(tasks, pool.map(one, tasks)):
                wrong = judge(task, ran)
                slowest.append((ran.seconds, task[0], task[1].name))
                outside += b"nothing was established" in ran.output or b"not every test" in ran.output
                if arguments.verbose:
                    print(f"{ran.seconds:6.2f} s {ran.cpu:6.2f} cpu {ran.code:3} {task[0]:6} {task[1].name}: {wrong or ''}", flush=True)
                if wrong:
                    doubtful.append((task, wrong))
                else:
                    passed += 1
        for task, wrong in doubtful:
            for _ in range(2):
                ran = one(task)
                again = judge(task, ran)
                if not again:
                    break
            if again:
                failed += 1
                print(f"FAILED {task[1].name} ({task[0]}): {wrong}; alone {again} ({ran.cpu:.1f} s of processor time)\n  heddle "
                      + " ".join(task[1].words))
            else:
                passed += 1
                print(f"slow beside others only: {task[1].name} ({task[0]}): {wrong}")
        asked = [["verify", str(folder / f"{name}.c"), *words] for name, words in BOUNDED if arguments.filter in " ".join((name, *words))]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for words, wrong in zip(asked, pool.map(lambda words: bounds_kept(binary, folder, words), asked)):
                passed += not wrong
                failed += bool(wrong)
                if wrong or arguments.verbose:
                    print(f"{'FAILED' if wrong else 'kept'} bounds: {wrong or ''}\n  heddle " + " ".join(words), flush=True)
    print("slowest: " + "; ".join(f"{seconds:.2f} s {mode} {name}" for seconds, mode, name in sorted(slowest, reverse=True)[:5]))
    print(f"{len(cases)} programs; {outside} runs ended without a result of their own")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
