#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include below src/ against layers.toml.

A library is a folder of src/ named in layers.toml, or one below it (`frontend/c`, `engine/explicit`). An include of a
library that is not listed is an error, and so are a source file that belongs to no library, an include of a project header
that does not exist, and a header of another project in a library that may not have it.
"""
import argparse
import pathlib
import re
import sys
import tomllib

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Layers:
    def __init__(self, path):
        data = tomllib.loads(path.read_text())
        self.libraries = data["libraries"]
        self.external = data.get("external", {})
        self.errors = []
        for name, uses in self.libraries.items():
            for use in uses:
                if use != "*" and use not in self.libraries:
                    self.errors.append(f"{path}: {name} uses {use}, which has no line of its own")
        self.errors += [f"{path}: the libraries {' -> '.join(cycle)} use each other" for cycle in self.cycles()]

    def cycles(self):
        """Each cycle of `uses` found by a depth-first walk."""
        found, done = [], set()

        def walk(name, path):
            if name in path:
                found.append(path[path.index(name):] + [name])
            elif name not in done:
                for use in self.libraries.get(name, []):
                    walk(use, path + [name])
                done.add(name)

        for name in self.libraries:
            walk(name, [])
        return found

    def library_of(self, path):
        """The library a path relative to src/ lies in, or None."""
        parts = path.split("/")[:-1]
        if len(parts) >= 2:
            below = "/".join(parts[:2])
            if below in self.libraries or f"{parts[0]}/*" in self.libraries:
                return below
        return parts[0] if parts and parts[0] in self.libraries else None

    def allowed(self, library):
        return self.libraries.get(library, self.libraries.get(library.split("/")[0] + "/*", []))

    def may_use(self, user, used):
        allowed = self.allowed(user)
        return used == user or used == "support" or "*" in allowed or used in allowed


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
    return errors, count


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
