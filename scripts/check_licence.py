#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file opens with the two-line licence header."""
import argparse
import pathlib
import re
import subprocess
import sys

COPYRIGHT = re.compile(r"^(//|#|/\*) Copyright \(c\) \d{4} The Heddle authors\.( \*/)?$")
LICENCE = re.compile(r"^(//|#|/\*) SPDX-License-Identifier: Apache-2\.0( \*/)?$")
SUFFIXES = {".h", ".cpp", ".def", ".py", ".sh", ".cmake", ".toml"}
NAMES = {"CMakeLists.txt", "heddle", "test", "run"}
# Inputs of tests and examples are data, short on purpose.
DATA = ("tests/regress/", "tests/lit/", "tests/litmus/", "tests/data/", "examples/", "fuzz/corpus/")


def needs_header(path):
    name = path.rsplit("/", 1)[-1]
    if path.startswith(DATA) and not name.endswith(".py"):
        return False
    return pathlib.PurePath(name).suffix in SUFFIXES or (name in NAMES and (name == "CMakeLists.txt" or "." not in name))


def has_header(text):
    lines = text.splitlines()
    if lines and lines[0].startswith("#!"):
        lines = lines[1:]
    return len(lines) >= 2 and bool(COPYRIGHT.match(lines[0])) and bool(LICENCE.match(lines[1]))


def tracked_files(root):
    """The files git knows or would add; all files outside a git tree."""
    result = subprocess.run(["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return sorted(set(result.stdout.splitlines()))
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*")
                  if p.is_file() and not p.relative_to(root).as_posix().startswith(("build/", ".git/")))


def check_tree(root):
    files = [f for f in tracked_files(root) if needs_header(f) and (root / f).is_file()]
    # An empty list of sources (a library to come) has nothing to license.
    files = [f for f in files if (root / f).stat().st_size > 0]
    return [f for f in files if not has_header((root / f).read_text(errors="replace"))], len(files)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    bad, count = check_tree(parser.parse_args().root)
    for path in bad:
        print(f"{path}:1: expected the two-line licence header")
    print(f"licence: {count} files, {len(bad)} errors")
    return 1 if bad or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
