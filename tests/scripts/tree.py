# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Small file trees for the tests of the scripts."""
import pathlib
import tempfile
import textwrap


class Tree:
    """A temporary folder with the given files; use it in a `with`."""

    def __init__(self, files):
        self.files = files

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="heddle-scripts-")
        root = pathlib.Path(self.folder.name)
        for name, text in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
            if text.startswith("#!"):
                path.chmod(0o755)
        return root

    def __exit__(self, *_):
        self.folder.cleanup()
