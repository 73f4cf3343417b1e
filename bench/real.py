#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs Heddle on the programs of a checkout of a library (libvsync, Concurrency Kit and others), and prints a table.

Nothing of the checkout is listed here; what is needed to compile is found by looking:
  programs   .c files that define main, themselves or by a header of the checkout that they include
  headers    the folder below which the included name is found, one named include first, then the nearest; of a header of which there
             is only a template (x.h.in), a copy in which what configure would fill in is a name that nobody knows, or 0
  sources    src/x.c for a header x.h, and src/x_*.c, if they are in the checkout; x.c beside the program for a header x.h beside it
  variants   a file that includes a macro (#include TEST_CASE) is run with each test*.h beside it; the list ALGOS of a CMakeLists.txt
             beside it names macros of which each is defined in turn; its lists of flags (-DX=1, ...DEFS, ...FLAGS), those of
             a Makefile and what folders above define for all (target_compile_definitions) are given always
  flags      a macro ...USE_CC_BUILTINS that a header asks for is 1 (no assembly); ...VERIFICATION is defined; ITERATE and its kin are 2
             where the program leaves them open (#ifndef), CORES as well

Verdicts: proved; holds (within bounds); hollow (holds, and an assertion, a thread or every end was never reached); violated;
refused (exit code 3 or a reason that names what is not supported); unknown; timeout; broken (does not compile: exit code 2); crash.
The exit code is 1 if a run crashed.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "lib"))
import limited  # noqa: E402  (found by the path above)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
INCLUDED_MACRO = re.compile(r"^[ \t]*#[ \t]*include[ \t]+([A-Z][A-Z0-9_]*)", re.M)
MAIN = re.compile(r"^(?:\w[\w \t*]*[ \t*])?\n?main[ \t]*\(", re.M)
OPEN_NUMBER = re.compile(r"^[ \t]*#[ \t]*ifndef[ \t]+(\w+)[ \t]*\n[ \t]*#[ \t]*define[ \t]+\1[ \t]+\(?\d+", re.M)
SMALL = re.compile(r"^(ITERAT\w*|N?ROUNDS|CORES|N_ITER\w*)$")
WEAKEST = "CK_MD_RMO"  # what Concurrency Kit's configure would take from the machine: no ordering but by fences
COMPILER_HEADERS = {"float.h", "limits.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h"}
ORDER = ["proved", "holds", "hollow", "violated", "refused", "unknown", "timeout", "broken", "crash"]


def is_system_header(name):
    """One of C's or of the machine's: a file of the checkout with that name is meant only where it is named by its folder."""
    return name in COMPILER_HEADERS or pathlib.Path("/usr/include", name).is_file()


class Checkout:
    """Where things are below a folder."""

    def __init__(self, root, scratch):
        self.root = root
        self.scratch = scratch
        self.texts = {}
        self.by_name = collections.defaultdict(list)
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix in (".h", ".c", ".in") and ".git" not in path.parts:
                self.by_name[path.name].append(path)

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_text(errors="replace")
        return self.texts[path]

    def folder_of(self, name, user):
        """The folder such that folder/name is a header: one named include before others, then the nearest to `user`."""
        def distance(folder):
            common = os.path.commonpath([folder, user.parent])
            far = len(user.parent.relative_to(common).parts) + len(folder.relative_to(common).parts)
            return (folder.name != "include", far, str(folder))

        if is_system_header(name):
            return None
        parts = pathlib.PurePosixPath(name).parts
        found = [path.parents[len(parts) - 1] for path in self.by_name[parts[-1]]
                 if ".." not in parts and path.parts[-len(parts):] == parts]
        if found:
            return min(found, key=distance)
        templates = [path for path in self.by_name[parts[-1] + ".in"] if len(parts) == 1]
        if not templates:
            return None
        text = re.sub(r"@(\w*)VALUE@", "0", self.text(templates[0])).replace("@MM@", WEAKEST)
        target = self.scratch / self.root.name
        target.mkdir(exist_ok=True)
        (target / parts[-1]).write_text(re.sub(r"@(\w+)@", r"NOT_SET_\1", text))
        self.texts[target / parts[-1]] = ""
        return target

    def closure(self, source, more=()):
        """What a file includes, transitively: the folders that are needed, and the files."""
        folders, files, pending = [], [source], [source, *more]
        while pending:
            user = pending.pop()
            for mark, name in INCLUDE.findall(self.text(user)):
                beside = (user.parent / name).resolve()
                if mark == '"' and beside.is_file():
                    path = beside
                else:
                    folder = next((f for f in folders if (f / name).is_file()), None) or self.folder_of(name, user)
                    if folder is None:
                        continue
                    if folder not in folders:
                        folders.append(folder)
                    path = folder / name
                if path not in files:
                    files.append(path)
                    pending.append(path)
        return folders, files


def cmake_lists(path):
    """The variables a CMakeLists.txt sets to words, the first time it does, with what they mention filled in."""
    lists = {}
    if not path.is_file():
        return lists
    text = re.sub(r"#.*", "", path.read_text(errors="replace"))
    for name, words in re.findall(r"\bset\(\s*(\w+)\s+([^()]*)\)", text):
        words = re.sub(r"\$\{(\w+)\}", lambda match: " ".join(lists.get(match[1], ["${}"])), words)
        lists.setdefault(name, words.replace('"', " ").split())
    return lists


def asked_for(name, text):
    """The macro that a text asks for: the name, or one that ends in it."""
    if re.search(rf"\b{name}\b", text):
        return name
    longer = sorted(set(re.findall(rf"\b([A-Z]\w*_{name})\b", text)))
    return longer[0] if longer else name


def variants_of(checkout, source):
    """(name, compiler flags, header) for each way in which a program is meant to be compiled."""
    text = checkout.text(source)
    lists = cmake_lists(source.parent / "CMakeLists.txt")
    always = []
    for name, words in lists.items():
        if re.search(r"(DEFS|FLAGS|CONFIG|_" + re.escape(source.stem) + r")$", name):
            always += [word if word.startswith("-D") else "-D" + word for word in words
                       if re.fullmatch(r"(-D)?[A-Z_]\w*(=\w+)?", word) and (word.startswith("-D") or name.endswith("DEFS"))]
    for folder in source.parents:
        if checkout.root in (folder, *folder.parents) and (folder / "CMakeLists.txt").is_file():
            text_of_list = (folder / "CMakeLists.txt").read_text(errors="replace")
            text_of_list = re.sub(r"^if\s*\(.*?^endif\s*\(", "", text_of_list, flags=re.M | re.S)
            for words in re.findall(r"target_compile_definitions\(\s*\w+\s+INTERFACE([^()$]*)\)", text_of_list):
                always += ["-D" + word.removeprefix("-D") for word in words.split() if re.fullmatch(r"(-D)?[A-Z_]\w*(=\w+)?", word)]
    for makefile in (source.parent / "Makefile", source.parent / "makefile"):
        if makefile.is_file():
            always += re.findall(r"(?<!\S)-D[A-Z_]\w*(?:=\w+)?(?!\S)", makefile.read_text(errors="replace"))
    always = list({flag.partition("=")[0]: flag for flag in always}.values())
    cases = [("", [], None)]
    for macro in INCLUDED_MACRO.findall(text):
        cases = [(header.stem, [f'-D{macro}="{header}"'], header) for header in sorted(source.parent.glob("test*.h"))]
    _, files = checkout.closure(source)
    used = "".join(checkout.text(path) for path in files)
    if not cases or (cases[0][2] is None and re.search(r"#[ \t]*include[ \t]+TEST_CASE", used)):
        cases = [(header.stem, [f'-DTEST_CASE="{header}"'], header) for header in sorted(source.parent.glob("test*.h"))]
    for name, flags, header in cases:
        for algorithm in lists.get("ALGOS", [None]):
            more = [] if algorithm is None else ["-D" + asked_for(algorithm, used)]
            yield " ".join(filter(None, [name, algorithm])), always + flags + more, header


def programs_of(checkout):
    """(name, files, compiler flags) of each program of a checkout."""
    for source in sorted(checkout.root.rglob("*.c")):
        _, files = checkout.closure(source)
        if not any(MAIN.search(checkout.text(path)) for path in files if path == source or path.suffix == ".h"):
            continue
        for name, flags, header in variants_of(checkout, source):
            folders, files = checkout.closure(source, [header] if header else [])
            used = "".join(checkout.text(path) for path in files)
            for macro in sorted(set(re.findall(r"\b(\w+(?:USE_CC_BUILTINS|_VERIFICATION))\b", used))):
                flags = flags + [f"-D{macro}=1"]
            given = {flag[2:].partition("=")[0] for flag in flags}
            for macro in sorted(set(OPEN_NUMBER.findall(used))):
                if SMALL.match(macro) and macro not in given:
                    flags = flags + [f"-D{macro}=2"]
            sources = [source]
            for path in files:
                for other in sorted((checkout.root / "src").glob("*.c")):
                    if path.suffix == ".h" and re.fullmatch(re.escape(path.stem) + r"(_\w+)?", other.stem):
                        sources.append(other)
            for other in sorted(source.parent.glob("*.c")):
                if other != source and other.with_suffix(".h") in files and not MAIN.search(checkout.text(other)):
                    sources.append(other)
            label = str(source.relative_to(checkout.root))
            yield (label + (f" [{name}]" if name else ""), list(dict.fromkeys(sources)),
                   ["-D_GNU_SOURCE", "-w", *[f"-I{folder}" for folder in folders], *flags])


def chosen(checkout, pattern, per_folder):
    """The programs of a checkout whose names match, with the checkout's name before theirs."""
    by_folder = collections.defaultdict(list)
    for name, files, flags in programs_of(checkout):
        name = f"{checkout.root.name}/{name}"
        if not pattern or re.search(pattern, name):
            by_folder[files[0].parent].append((name, files, flags))
    for programs in by_folder.values():
        count = min(per_folder or len(programs), len(programs))
        yield from (programs[i * len(programs) // count] for i in range(count))


def one_line(text, length):
    text = " ".join(str(text).split())
    return text if len(text) <= length else text[:length - 1] + "…"


def classify(ran, report):
    """(verdict, bounds, never reached, text)."""
    if ran.limit:
        return "timeout", "", "", f"{ran.limit}: ended from outside"
    if ran.exit_code is None or ran.exit_code >= 70:
        return "crash", "", "", ran.status() + " " + one_line(ran.stderr.decode(errors="replace"), 160)
    complaint = one_line((ran.stderr or ran.stdout).decode(errors="replace"), 400)
    if ran.exit_code in (2, 3) and report.get("verdict") != "unknown":
        return ("broken" if ran.exit_code == 2 or "[C-002]" in complaint else "refused"), "", "", complaint
    never = report.get("never_reached") or {}
    missing = []
    for what in ("assertions", "threads"):
        entries = never.get(what) or []
        if entries:
            missing.append(f"{len(entries)} {what}" if isinstance(entries, list) else f"{entries} {what}")
    if never.get("no_run_completes"):
        missing.append("no run completes")
    missing = ", ".join(missing)
    bounds = report.get("bounds") or ""
    if isinstance(bounds, list):
        bounds = "; ".join(str(bound) for bound in bounds)
    verdict = report.get("verdict", "unknown")
    if verdict == "proved":
        return "proved", "", missing, ""
    if verdict == "holds_within_bounds":
        return ("hollow" if missing or not bounds else "holds"), bounds, missing, ""
    if verdict == "violated":
        violation = report.get("violation") or {}
        return "violated", "", missing, f"{violation.get('kind')}: {violation.get('what')} ({violation.get('file')}:{violation.get('line')})"
    kind = {"time": "timeout", "memory": "timeout", "unsupported": "refused", "refused": "refused", "no engine": "refused"}.get(report.get("reason_kind"), "unknown")
    return kind, bounds, missing, report.get("reason") or complaint


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="FOLDER", help="a checkout")
    parser.add_argument("--binary", default=str(HERE.parent / "build/dev/bin/heddle"))
    parser.add_argument("--models", default="rc11", help="with commas between them")
    parser.add_argument("--properties", default="reach", help="with commas between them")
    parser.add_argument("--time", type=float, default=10, help="seconds per run")
    parser.add_argument("--memory", type=int, default=4000, help="MiB per run")
    parser.add_argument("--only", help="programs whose name matches this regular expression")
    parser.add_argument("--per-folder", type=int, metavar="N", help="of each folder at most N programs, spread over it")
    parser.add_argument("--list", action="store_true", help="print the commands, run nothing")
    parser.add_argument("--option", action="append", default=[], help="a further option for Heddle")
    options = parser.parse_args()
    totals, reasons = collections.Counter(), collections.Counter()
    columns = ["program", "model", "property", "verdict", "bounds", "never reached", "seconds", "what was said"]
    with tempfile.TemporaryDirectory() as scratch_name:
        scratch = pathlib.Path(scratch_name)
        if not options.list:
            print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns), flush=True)
        for folder in options.folders:
            checkout = Checkout(folder.resolve(), scratch)
            for name, files, flags in chosen(checkout, options.only, options.per_folder):
                for model in options.models.split(","):
                    for prop in options.properties.split(","):
                        report_file = scratch / "report.json"
                        report_file.unlink(missing_ok=True)
                        command = [options.binary, "verify", *map(str, files), "--model", model, "--property", prop, "--time",
                                   f"{options.time:g}", *options.option, "--json", str(report_file), "--", *flags]
                        if options.list:
                            print(" ".join(command))
                            continue
                        ran = limited.run(command, options.time * 2 + 10, options.memory)
                        report = json.loads(report_file.read_text()) if report_file.is_file() else {}
                        verdict, bounds, missing, text = classify(ran, report)
                        totals[verdict] += 1
                        if verdict in ("refused", "broken", "crash"):
                            reasons[re.sub(r"\S*/\S*|[0-9]+|'[^']*'", "…", one_line(text, 400))[:100]] += 1
                        cells = [name, model, prop, verdict, one_line(bounds, 80), missing, f"{ran.wall:.1f}", one_line(text, 160)]
                        print("| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |", flush=True)
    if options.list:
        return 0
    print("\nTotals: " + ", ".join(f"{totals[verdict]} {verdict}" for verdict in ORDER if totals[verdict]))
    for reason, count in reasons.most_common():
        print(f"{count:5}  {reason}")
    return 1 if totals["crash"] else 0


if __name__ == "__main__":
    sys.exit(main())
