#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include below src/ against layers.toml.

A library is a folder of src/ with a line of its own in layers.toml, or one that a line such as `engine/*` is for. Folders
below it are other libraries (`program/run`, `program/events`). An include of a library that is not listed is an error, and
so are a source file that belongs to no library, an include of a project header that does not exist, and a header of another
project in a library that may not have it. A library is a room: it has at most 40 files, and no two headers have one name.
"""
import argparse
import collections
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
MOST_FILES = 40


class Layers:
    def __init__(self, path):
        data = tomllib.loads(path.read_text())
        self.libraries = data["libraries"]
        self.external = data.get("external", {})
        self.errors = []
        for name, uses in self.libraries.items():
            for use in uses:
                if use != "*" and not self.lines_of(use):
                    self.errors.append(f"{path}: {name} uses {use}, which has no line of its own")
        self.errors += [f"{path}: the libraries {' -> '.join(cycle)} use each other" for cycle in self.cycles()]

    def lines_of(self, use):
        """The lines a word stands for: `program/*` for all below program/, `engine/explicit` perhaps for `engine/*`."""
        if use.endswith("/*"):
            return [name for name in self.libraries if name.startswith(use[:-1])]
        return [name for name in (use, use.rpartition("/")[0] + "/*") if name in self.libraries][:1]

    def cycles(self):
        """Each cycle of `uses` found by a depth-first walk."""
        found, done = [], set()

        def walk(name, path):
            if name in path:
                found.append(path[path.index(name):] + [name])
            elif name not in done:
                for use in self.libraries.get(name, []):
                    for line in self.lines_of(use):
                        walk(line, path + [name])
                done.add(name)

        for name in self.libraries:
            walk(name, [])
        return found

    def library_of(self, path):
        """The library a path relative to src/ lies in, or None."""
        folder = path.rpartition("/")[0]
        return folder if folder and self.lines_of(folder) else None

    def allowed(self, library):
        return [use for line in self.lines_of(library) for use in self.libraries[line]]

    def may_use(self, user, used):
        return used in (user, "support") or any(
            use in ("*", used) or (use.endswith("/*") and used.startswith(use[:-1])) for use in self.allowed(user))


def check_tree(root):
    """All complaints about the tree at `root`, which holds layers.toml and src/; and how many includes were looked at."""
    layers = Layers(root / "layers.toml")
    errors, count = list(layers.errors), 0
    source = root / "src"
    for file in sorted(p for p in source.rglob("*") if p.suffix in (".h", ".cpp", ".def", ".inc")):
        path = file.relative_to(source).as_posix()
        library = layers.library_of(path)
        if library is None:
            errors.append(f"src/{path}: lies in no library that layers.toml names")
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            count += 1
            where, quote, name = f"src/{path}:{number}", match[1], match[2]
            owners = [o for prefix, o in layers.external.items() if name.startswith(prefix)]
            if owners:
                if not any(library in o for o in owners):
                    errors.append(f"{where}: {library} may not include <{name}>, only {', '.join(owners[0])} may")
                continue
            if quote == "<":
                continue
            used = layers.library_of(name)
            if "/" not in name:
                errors.append(f'{where}: "{name}" must be written with its folder: "{path.rsplit("/", 1)[0]}/{name}"')
            elif not (source / name).exists():
                errors.append(f'{where}: "{name}" does not exist below src/')
            elif used is None:
                errors.append(f'{where}: "{name}" lies in no library that layers.toml names')
            elif not layers.may_use(library, used):
                errors.append(f"{where}: {library} may not include {used} (layers.toml)")
    return errors + crowded(source), count


def crowded(source):
    """Folders with too many files, and names that more than one header has."""
    files = sorted(p.relative_to(source) for p in source.rglob("*") if p.suffix in (".h", ".cpp"))
    errors = [f"src/{folder.as_posix()}: {count} files are more than one room has ({MOST_FILES})"
              for folder, count in collections.Counter(p.parent for p in files).items() if count > MOST_FILES]
    headers = collections.defaultdict(list)
    for file in files:
        if file.suffix == ".h":
            headers[file.name].append(f"src/{file.as_posix()}")
    return errors + [f"{' and '.join(same)} have one name" for same in headers.values() if len(same) > 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent, type=pathlib.Path)
    arguments = parser.parse_args()
    errors, count = check_tree(arguments.root)
    for error in errors:
        print(error)
    if count == 0:
        print("no include was found: is this the right folder?")
    print(f"layers: {count} includes, {len(errors)} errors")
    return 1 if errors or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
