#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands shown in the documentation and compares what they print.

In a block that opens with ```sh, a line `$ ./heddle …` or `$ heddle …` is a command, and the lines up to the next `$` or the
end of the block are its output (standard output and standard error as a terminal would show them, without colour). A line
`...` stands for any number of lines, `...` inside a line for any text. A command may be continued by a backslash at the end
of the line, and a last line `# exit N` states the exit code, which is otherwise not looked at. Other commands are not run.
A command without any line of output must end without a complaint of ours (exit code 2, 3 or 70), so that no example rots.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = re.compile(r"^\$ (?:\./)?heddle(?:\s|$)")
EXIT = re.compile(r"^# exit (\d+)$")


@dataclasses.dataclass
class Example:
    where: str
    command: str
    expected: list
    exit_code: int | None


def examples_of(path, text):
    """The commands of one page."""
    found, inside, current = [], False, None
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if not inside:
            inside = line.strip() == "```sh"
            current = None
        elif line.strip() == "```":
            inside = False
        elif line.startswith("$ "):
            current = None
            words = line
            while words.endswith("\\"):
                words = words[:-1] + next(lines)[1].strip()
            if COMMAND.match(words):
                current = Example(f"{path}:{number}", words[2:], [], None)
                found.append(current)
        elif current is not None:
            match = EXIT.match(line)
            if match:
                current.exit_code = int(match[1])
            else:
                current.expected.append(line.rstrip())
    for example in found:
        while example.expected and not example.expected[-1]:
            example.expected.pop()
    return found


def line_matches(pattern, line):
    parts = [re.escape(part) for part in pattern.split("...")]
    return re.fullmatch(".*".join(parts), line) is not None


def matches(expected, actual):
    """Does the list of lines fit the expected ones, where a line `...` stands for any number of lines?"""
    # reachable[j]: the expected lines so far fit actual[:j].
    reachable = {0}
    for pattern in expected:
        if pattern.strip() == "...":
            reachable = set(range(min(reachable), len(actual) + 1)) if reachable else set()
        else:
            reachable = {j + 1 for j in reachable if j < len(actual) and line_matches(pattern, actual[j])}
    return len(actual) in reachable


def problem_of(example, binary, root):
    """What is wrong with an example, or None."""
    words = shlex.split(example.command, comments=True)
    words[0] = str(binary)
    with tempfile.TemporaryDirectory(prefix="heddle-docs-") as folder:
        # Examples run in a view of the tree, so that files they write do not land in it.
        for entry in root.iterdir():
            if entry.name not in ("build", ".git"):
                os.symlink(entry, pathlib.Path(folder) / entry.name)
        try:
            ran = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False,
                                 stderr=subprocess.STDOUT, timeout=120)
        except subprocess.TimeoutExpired:
            return "timeout"
    actual = [line.rstrip() for line in ran.stdout.decode(errors="replace").splitlines()]
    while actual and not actual[-1]:
        actual.pop()
    shown = "\n".join(f"  | {line}" for line in actual)
    if example.exit_code is not None and ran.returncode != example.exit_code:
        return f"exit code {ran.returncode}, the page says {example.exit_code}\n{shown}"
    if example.exit_code is None and (ran.returncode in (2, 3, 70) or ran.returncode < 0):
        return f"exit code {ran.returncode}\n{shown}"
    if example.expected and not matches(example.expected, actual):
        return f"the output differs from the page:\n{shown}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT)
    parser.add_argument("--binary", type=pathlib.Path, default=ROOT / "build" / "dev" / "bin" / "heddle")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    pages = arguments.pages or [p for p in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]
                                if p.exists()]
    examples = []
    for page in pages:
        page = page.resolve()
        name = page.relative_to(root) if page.is_relative_to(root) else page
        examples += examples_of(name, page.read_text())
    failed = 0
    for example in examples:
        problem = problem_of(example, arguments.binary.resolve(), root)
        if problem is not None:
            failed += 1
            print(f"FAILED {example.where}: $ {example.command}\n{problem}")
    print(f"{len(examples) - failed} passed, {failed} failed")
    return 1 if failed or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
