# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Other tools, called with a limit: what the tests of exports and of the reduction, and the benchmark of the latter, share."""
import dataclasses
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile


class Failure(Exception):
    pass


def call(command, limit, cwd=None, accepts=(0,)):
    """In a process group of its own: what a compiler starts in turn ends with it. The limit is of seconds of the processor (a machine
    may be busy), of each process; one that only waits ends after ten times as long."""
    # Without the second more it would be killed, and nobody could tell why.
    limited = ["prlimit", f"--cpu={limit}:{limit + 1}", *map(str, command)]
    with subprocess.Popen(limited, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=10 * limit)
        except subprocess.TimeoutExpired as late:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure(f"{command[0]}: no answer within {limit} s") from late
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode == -signal.SIGXCPU or "CPU time limit exceeded" in err:
        raise Failure(f"{command[0]}: no answer within {limit} s")
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if done.returncode not in accepts:
        raise Failure(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


@dataclasses.dataclass
class Search:
    """A complete search of SPIN's. The kinds of failures are the names of the variables that are asserted (docs/exports.md)."""
    kinds: list
    states: float
    seconds: float  # of the processor, for the search alone
    megabytes: float  # of the states

    @property
    def holds(self):
        return not self.kinds


def spin(text, limit, folder=None, optimise="-O0", making=300, megabytes=512, depth=200000):
    """Explores all of a Promela text; all failures are found, and no search that ended early counts. SPIN's verifier of a large
    text takes longer to make than to run: it has a limit of its own."""
    with tempfile.TemporaryDirectory(dir=folder) as here:
        (pathlib.Path(here) / "model.pml").write_text(text)
        call(["spin", "-a", "model.pml"], making, cwd=here)
        call(["gcc", optimise, "-fwrapv", "-w", "-DSAFETY", f"-DMEMLIM={megabytes}", "-DVECTORSZ=4096", "-o", "pan", "pan.c"],
             making, cwd=here)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = call(["./pan", "-E", "-c0", f"-m{depth}", "-w20"], limit, cwd=here).stdout
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    for why in ("max search depth too small", "out of memory", "reached -DMEMLIM bound", "Search not completed"):
        if why in said:
            raise Failure(f"spin did not search everything: {why}\n{said}")
    errors = re.search(r"errors: (\d+)", said)
    states = re.search(r"([\d.e+]+) states, stored", said)
    memory = re.search(r"([\d.]+)\s+actual memory usage for states", said)
    if not errors or not states:
        raise Failure("spin says nothing:\n" + said)
    kinds = sorted(set(re.findall(r"assertion violated \W*h_(\w+)", said)))  # assertion_failed is the first of all
    if (errors.group(1) != "0") != bool(kinds):
        raise Failure("spin reports something else than a violated assertion:\n" + said)
    return Search(kinds, float(states.group(1)), seconds, float(memory.group(1)) if memory else 0.0)
