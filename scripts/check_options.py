#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks that every option of src/driver/options.def is used, tested and documented.

Used: its member is named somewhere else in src/. Tested: `--name` stands in a file below tests/, fuzz/ or bench/. Documented:
`--name` stands in README.md or a page of docs/. With --binary, docs/options.md must be what `heddle options` prints.
"""
import argparse
import pathlib
import re
import subprocess
import sys

TABLE = "src/driver/options.def"
# HEDDLE_OPTION(member, "--name", …): the member first, the option's spelling in the first string.
ENTRY = re.compile(r'^\s*HEDDLE_\w+\(\s*(\w+)\s*,[^"]*"(?:-\w,\s*)?-{0,2}([a-z][a-z0-9-]*)', re.MULTILINE)


def read_all(paths):
    return "\n".join(path.read_text(errors="replace") for path in sorted(paths) if path.is_file())


def mentions(text, option):
    return re.search(rf"--{re.escape(option)}(?![a-z0-9-])", text) is not None


def check_tree(root):
    """The complaints, and the number of options."""
    table = root / TABLE
    if not table.is_file():
        return [f"{TABLE} does not exist"], 0
    entries = ENTRY.findall(re.sub(r"//.*", "", table.read_text()))
    source = read_all(p for p in (root / "src").rglob("*") if p.suffix in (".h", ".cpp"))
    tests = read_all(p for folder in ("tests", "fuzz", "bench") for p in (root / folder).rglob("*")
                     if p.suffix in (".yml", ".py", ".cpp", ".h", ".c", ".sh", ".test") and "scripts" not in p.parts)
    pages = [root / "README.md", *(root / "docs").glob("*.md")]
    docs = read_all(pages)
    errors, seen = [], set()
    for member, option in entries:
        if option in seen:
            continue
        seen.add(option)
        if not re.search(rf"\b{member}\b", source):
            errors.append(f"--{option}: nothing in src/ uses {member}")
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
        return ["docs/options.md does not hold what `heddle options` prints; write it anew"]
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
