#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""How heddle behaves at a terminal, in a pipe, when it is interrupted and when memory runs out. Ends with `N passed, N failed`.

  tests/scripts/run_terminal.py --binary build/release/bin/heddle
"""
import argparse
import errno
import fcntl
import os
import pathlib
import pty
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

BINARY = None
# Two threads that count for ever: more states than anybody can visit.
ENDLESS = """module lp64
global @x : 8 align 8 unsigned 64
global @y : 8 align 8 unsigned 64
func @counter(%0 : ptr) -> ptr {
  reg %1 : i64
block entry:
  jump loop
block loop:
  %1 = load @y
  %1 = add %1, i64 1
  store i64 %1, @x
  jump loop
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : i64
block entry:
  %0 = create(@counter, ptr 0)
  jump loop
block loop:
  %1 = load @x
  %1 = add %1, i64 1
  store i64 %1, @y
  jump loop
}
"""
# An assertion that fails at once.
FAILING = """module lp64
global @x : 4 align 4 signed 32
func @writer(%0 : ptr) -> ptr {
block entry:
  store i32 1, @x
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = create(@writer, ptr 0)
  %1 = load @x
  %2 = eq %1, i32 0
  assert %2, "x == 0"
  ret i32 0
}
"""
COLOUR = b"\x1b["
ERASE = b"\r\x1b[K"


def drain(descriptor):
    """Everything that comes from the terminal until it is closed."""
    output = b""
    while True:
        try:
            chunk = os.read(descriptor, 65536)
        except OSError as error:
            if error.errno == errno.EIO:
                return output
            raise
        if not chunk:
            return output
        output += chunk


class Ran:
    """A run with its standard output and error at a terminal of 80 columns."""

    def __init__(self, *arguments, interrupt_after=None):
        own, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        process = subprocess.Popen([BINARY, *arguments], stdin=other, stdout=other, stderr=other,
                                   start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(other)
        if interrupt_after:
            time.sleep(interrupt_after)
            os.write(own, b"\x03")  # what the key sends; the terminal makes a signal of it
        self.output = drain(own)
        self.code = process.wait(timeout=60)
        os.close(own)


class Terminal(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="heddle-terminal-")
        # The explicit engine never comes to an end of it; a solver would soon say what holds within bounds.
        self.endless = (self.file("endless.hir", ENDLESS), "--engine", "explicit")
        self.failing = self.file("failing.hir", FAILING)

    def tearDown(self):
        self.folder.cleanup()

    def file(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return str(path)

    def pipe(self, *arguments, **options):
        return subprocess.run([BINARY, *arguments], capture_output=True, check=False, timeout=300, **options)

    def test_a_terminal_gets_colour(self):
        ran = Ran("verify", self.failing)
        self.assertEqual(ran.code, 10)
        self.assertIn(b"VIOLATED", ran.output)
        self.assertIn(COLOUR, ran.output.replace(ERASE, b""))

    def test_a_pipe_gets_no_colour(self):
        ran = self.pipe("verify", self.failing)
        self.assertEqual(ran.returncode, 10)
        self.assertIn(b"VIOLATED", ran.stdout)
        self.assertNotIn(b"\x1b", ran.stdout + ran.stderr)
        self.assertNotIn(b"\r", ran.stdout + ran.stderr)

    def test_colour_goes_with_the_standard_output_only(self):
        """A report that goes to a file is plain although the error is a terminal."""
        own, other = pty.openpty()
        with open(pathlib.Path(self.folder.name) / "report", "wb") as report:
            process = subprocess.Popen([BINARY, "verify", self.failing], stdout=report, stderr=other)
        os.close(other)
        drain(own)
        os.close(own)
        self.assertEqual(process.wait(timeout=60), 10)
        text = (pathlib.Path(self.folder.name) / "report").read_bytes()
        self.assertIn(b"VIOLATED", text)
        self.assertNotIn(b"\x1b", text)

    def test_a_terminal_gets_a_progress_line_and_loses_it(self):
        ran = Ran("verify", *self.endless, "--time", "2")
        self.assertEqual(ran.code, 31)
        self.assertIn(b" states, ", ran.output)
        lines = [line for line in ran.output.split(ERASE) if b" a second, depth " in line]
        self.assertTrue(lines, ran.output)
        for line in lines:
            self.assertLess(len(line.decode()), 80)
            self.assertNotIn(b"\n", line)
        # The last thing before the verdict erases it.
        before = ran.output[:ran.output.index(b"UNKNOWN")]
        self.assertIn(ERASE, before[before.rindex(b"depth"):])

    def test_a_pipe_gets_no_progress_line(self):
        ran = self.pipe("verify", *self.endless, "--time", "1")
        self.assertEqual(ran.returncode, 31)
        self.assertEqual(ran.stderr, b"")
        self.assertTrue(ran.stdout.startswith(b"UNKNOWN under sc: time is up: "), ran.stdout)

    def test_the_interrupt_key_ends_with_what_was_established(self):
        ran = Ran("verify", *self.endless, interrupt_after=1.5)
        self.assertEqual(ran.code, 30)
        self.assertIn(b"interrupted: ", ran.output)
        self.assertIn(b"states were explored without a violation", ran.output)

    def test_a_signal_ends_a_run_in_a_pipe(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([BINARY, "verify", *self.endless], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            time.sleep(1)
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 30, number)
            self.assertTrue(output.startswith(b"UNKNOWN under sc: interrupted: "), output)
            self.assertEqual(errors, b"")

    def test_an_interrupted_run_writes_its_json(self):
        report = pathlib.Path(self.folder.name) / "report.json"
        process = subprocess.Popen([BINARY, "verify", *self.endless, "--json", str(report)], stdout=subprocess.PIPE)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 30)
        self.assertIn('"unknown"', report.read_text())

    def test_the_memory_limit_is_obeyed(self):
        limit = 12
        report = pathlib.Path(self.folder.name) / "report"
        with open(report, "wb") as output:
            process = subprocess.Popen([BINARY, "verify", *self.endless, "--memory", str(limit), "--time", "200"], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        text = report.read_text()
        self.assertEqual(process.returncode, 32, text)
        self.assertIn("memory is used up: ", text)
        self.assertIn("--memory", text)
        self.assertLess(usage.ru_maxrss >> 10, limit + 30)  # MiB; the program itself comes on top of the states

    def test_the_system_refusing_memory_is_no_crash(self):
        """Less than the engine believes to have: the allocation fails, and the run still ends with the exit code for memory."""

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (40 << 20, 40 << 20))

        ran = self.pipe("verify", *self.endless, "--memory", "4000", "--time", "200", preexec_fn=limit)
        self.assertEqual(ran.returncode, 32, ran.stdout + ran.stderr)
        self.assertIn(b"memory", ran.stdout)
        self.assertNotIn(b"terminate called", ran.stderr)


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    BINARY = str(pathlib.Path(parser.parse_args().binary).resolve())
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Terminal)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed = len({str(test) for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
