#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks that every option of src/driver/options/options.def is used, tested and documented.

Used: its field is read somewhere in src/ (`options.field`). Tested: `--name` stands in a file below tests/, fuzz/ or bench/.
Documented: `--name` stands in README.md or a page of docs/. No name stands twice in the table. With --binary, docs/options.md
must be what `heddle options` prints.
"""
import argparse
import pathlib
import re
import subprocess
import sys

TABLE = "src/driver/options/options.def"
# HEDDLE_FLAG(field, "name", …) and its kin.
ENTRY = re.compile(r'^HEDDLE_[A-Z]+\(\s*(\w+)\s*,\s*"([a-z][a-z0-9-]*)"', re.MULTILINE)


def read_all(paths):
    return "\n".join(path.read_text(errors="replace") for path in sorted(paths) if path.is_file())


def mentions(text, option):
    return re.search(rf"--{re.escape(option)}(?![a-z0-9-])", text) is not None


def check_tree(root):
    """The complaints, and the number of options."""
    table = root / TABLE
    if not table.is_file():
        return [f"{TABLE} does not exist"], 0
    entries = ENTRY.findall(table.read_text())
    source = read_all(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp"))
    # The tests of this script name options that need not exist.
    tests = read_all(p for folder in ("tests", "fuzz", "bench") for p in (root / folder).rglob("*")
                     if p.suffix in (".yml", ".py", ".cpp", ".h", ".c", ".sh", ".test") and p != root / "tests" / "scripts" / "run.py")
    docs = read_all([root / "README.md", *(root / "docs").glob("*.md")])
    errors, seen = [], set()
    for field, option in entries:
        if option in seen:
            errors.append(f"--{option}: stands in the table more than once")
            continue
        seen.add(option)
        if not re.search(rf"\.{field}\b", source):
            errors.append(f"--{option}: nothing in src/ reads {field}")
        if not mentions(tests, option):
            errors.append(f"--{option}: no test uses it")
        if not mentions(docs, option):
            errors.append(f"--{option}: no page explains it")
    return errors, len(seen)


def check_page(root, binary):
    """The complaint when the generated page is not up to date."""
    page = root / "docs" / "options.md"
    printed = subprocess.run([binary, "options"], capture_output=True, check=False)
    if printed.returncode != 0:
        return [f"{binary} options: exit code {printed.returncode}"]
    if not page.is_file() or printed.stdout not in page.read_bytes():
        return ["docs/options.md does not hold what `heddle options` prints: heddle options > docs/options.md"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    parser.add_argument("--binary", type=pathlib.Path, help="also compare docs/options.md with `heddle options` of this binary")
    arguments = parser.parse_args()
    errors, count = check_tree(arguments.root)
    if arguments.binary:
        errors += check_page(arguments.root, arguments.binary.resolve())
    for error in errors:
        print(error)
    print(f"options: {count} options, {len(errors)} errors")
    return 1 if errors or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
