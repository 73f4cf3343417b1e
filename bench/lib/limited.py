# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs one command under a limit of time and of memory, and measures it. Shared by the test runners and the benchmarks."""
import dataclasses
import os
import select
import signal
import subprocess
import tempfile
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
SECONDS_TO_END = 60  # after an interruption


@dataclasses.dataclass
class Ran:
    """What became of a command. `exit_code` is None when a signal ended it or a limit was hit."""

    exit_code: int | None
    signal: int | None
    limit: str | None  # "time" or "memory" when we ended it
    stdout: bytes
    stderr: bytes
    cpu: float  # seconds, user + system, of the command and the children it waited for
    wall: float
    memory: float  # MiB, the largest resident set

    def status(self):
        if self.limit:
            return f"{self.limit} limit hit after {self.wall:.1f} s"
        if self.signal is not None:
            return f"killed by {signal.Signals(self.signal).name}"
        return f"exit code {self.exit_code}"


def resident(pid):
    """The resident set of a process in MiB; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE / 2**20
    except (OSError, IndexError, ValueError):
        return 0.0


def processor_seconds(pid):
    """What a process has used so far, without its children; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError, ValueError):
        return 0.0


def run(command, seconds, memory=None, cwd=None, env=None, cpu=None):
    """Runs `command` for at most `seconds` of wall time and `memory` MiB (resident, looked at ten times a second).

    After `cpu` seconds of the processor it is interrupted (SIGINT), so that it can say how far it came; it is ended if it does not end."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        # A group of its own, so that the children of a command that is ended end with it.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd, env=env,
                                   start_new_session=True)
        descriptor = os.pidfd_open(process.pid)
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        limit = None
        is_interrupted = False
        while True:
            left = seconds - (time.monotonic() - start)
            if poller.poll(max(0.0, min(0.1, left)) * 1000):
                break
            if cpu is not None and not is_interrupted and processor_seconds(process.pid) > cpu:
                is_interrupted = True
                seconds = min(seconds, time.monotonic() - start + SECONDS_TO_END)
                os.kill(process.pid, signal.SIGINT)
            elif left <= 0:
                limit = "time"
            elif memory is not None and resident(process.pid) > memory:
                limit = "memory"
            if limit:
                os.killpg(process.pid, signal.SIGKILL)
                break
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        os.close(descriptor)
        process.returncode = 0  # reaped here, so that Popen does not look for it again
        out.seek(0)
        err.seek(0)
        exited = os.WIFEXITED(status) and not limit
        if is_interrupted:
            limit = "time"
        killed = os.WIFSIGNALED(status) and not limit
        return Ran(exit_code=os.WEXITSTATUS(status) if exited else None,
                   signal=os.WTERMSIG(status) if killed else None,
                   limit=limit, stdout=out.read(), stderr=err.read(),
                   cpu=usage.ru_utime + usage.ru_stime, wall=wall, memory=usage.ru_maxrss / 1024)
