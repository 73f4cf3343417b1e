#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs Heddle on SV-COMP tasks: task files in, one JSON line per task and property out, a summary on stderr.

A line has: task, property, expected, verdict, agreement, exit_code, bounds, message, cpu, wall, memory. The agreement is one of
  correct   the verdict is the expected one
  wrong     it contradicts the expected one
  bounded   no violation within the bounds, nothing claimed beyond them
  unknown   no verdict (the reason is in the message)
  timeout   the limit of time or memory was hit
  refused   the input was refused with a located message (exit code 3)
  unjudged  a verdict, but the task states no expectation for the property
  crash     anything else: a signal, exit code 70, an undocumented exit code, no report
With --import-only each task is only translated to ir. The exit code is 1 if any verdict is wrong or any run crashed.
"""
import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "lib"))
import limited  # noqa: E402  (found by the path above)

PROPERTY_OF_FILE = {"unreach-call.prp": "reach", "no-data-race.prp": "race", "valid-memsafety.prp": "memory",
                    "no-overflow.prp": "overflow"}
VERDICT_OF_EXIT = {0: "proved", 1: "holds_within_bounds", 10: "violated", 11: "violated", 12: "violated", 13: "violated",
                   14: "violated", 15: "violated", 16: "violated", 17: "violated", 30: "unknown", 31: "unknown",
                   32: "unknown"}
ORDER = ["wrong", "crash", "refused", "timeout", "unknown", "bounded", "unjudged", "correct"]


def task_files(paths):
    """Task files named or found in folders; a .set or .txt file lists one per line."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yml"))
        elif path.suffix in (".set", ".txt"):
            for line in path.read_text().splitlines():
                if line.strip() and not line.startswith("#"):
                    yield from sorted(path.parent.glob(line.strip()))
        else:
            yield path


def questions_of(path, wanted):
    """What to ask about a task: (property, expected verdict or None) for each property it states, or for `wanted`."""
    data = yaml.safe_load(path.read_text())
    stated = {}
    for entry in (data or {}).get("properties") or []:
        name = pathlib.PurePosixPath(str(entry.get("property_file", ""))).name
        verdict = entry.get("expected_verdict")
        if name in PROPERTY_OF_FILE:
            stated[PROPERTY_OF_FILE[name]] = verdict if isinstance(verdict, bool) else None
    if wanted:
        return [(wanted, stated.get(wanted))]
    return list(stated.items()) or [("reach", None)]


def read_report(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def agreement_of(ran, report, expected):
    if ran.limit or ran.exit_code in (31, 32):
        return "timeout"
    if ran.exit_code == 3:
        return "refused"
    verdict = VERDICT_OF_EXIT.get(ran.exit_code)
    if verdict is None or report is None or report.get("verdict") != verdict:
        return "crash"
    if verdict == "unknown":
        return "unknown"
    if expected is None:
        return "unjudged"
    if verdict == "violated":
        return "wrong" if expected else "correct"
    if verdict == "proved":
        return "correct" if expected else "wrong"
    # Within bounds nothing is claimed, so a violation beyond them is no contradiction.
    return "bounded"


def last_line(ran):
    lines = (ran.stderr or ran.stdout).decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else ""


def message_of(ran, report):
    if report:
        for key in ("reason", "message", "unknown", "summary"):
            if report.get(key):
                value = report[key]
                return value if isinstance(value, str) else json.dumps(value)[:300]
    text = ran.stdout.decode(errors="replace").strip().splitlines()
    return last_line(ran) if ran.stderr.strip() else (text[0][:300] if text else ran.status())


def measures(ran):
    return {"cpu": round(ran.cpu, 3), "wall": round(ran.wall, 3), "memory": round(ran.memory, 1)}


def verify(path, prop, expected, arguments):
    with tempfile.TemporaryDirectory(prefix="heddle-svcomp-") as folder:
        file = pathlib.Path(folder) / "report.json"
        command = [str(arguments.binary), "verify", str(path), "--property", prop, "--model", arguments.model,
                   "--time", str(arguments.time), "--memory", str(arguments.memory), "--json", str(file), *arguments.flags]
        # The tool obeys its own limits; a run that does not is ended a little later.
        ran = limited.run(command, arguments.time * 1.2 + 2, memory=arguments.memory * 1.2 + 100)
        report = read_report(file)
    return {"task": name_of(path, arguments), "property": prop, "model": arguments.model, "expected": expected,
            "verdict": report.get("verdict") if report else None, "agreement": agreement_of(ran, report, expected),
            "exit_code": ran.exit_code, "ended_by": ran.limit or (f"signal {ran.signal}" if ran.signal else None),
            "bounds": report.get("bounds") if report else None, "message": message_of(ran, report), **measures(ran)}


def translate(path, _property, _expected, arguments):
    with tempfile.TemporaryDirectory(prefix="heddle-svcomp-") as folder:
        file = pathlib.Path(folder) / "report.json"
        command = [str(arguments.binary), "translate", str(path), "--to", "ir", "--json", str(file), *arguments.flags]
        ran = limited.run(command, arguments.time, memory=arguments.memory)
        report = read_report(file) or {}
    kind = "module" if ran.exit_code == 0 else "refused" if ran.exit_code == 3 else "timeout" if ran.limit else "crash"
    return {"task": name_of(path, arguments), "agreement": kind, "exit_code": ran.exit_code,
            "traps": count_of(report.get("traps")), "traps_reachable": count_of(report.get("traps_reachable")),
            "first_trap": first_trap(report),
            "message": message_of(ran, None) if kind != "module" else "", **measures(ran)}


def count_of(value):
    """A report lists its traps, each with its place."""
    return len(value) if isinstance(value, list) else value


def first_trap(report):
    traps = report.get("traps_reachable")
    if isinstance(traps, list) and traps:
        return f"{traps[0].get('file')}:{traps[0].get('line')}: {traps[0].get('what')}"
    return report.get("error")


def name_of(path, arguments):
    path = path.resolve()
    for root in arguments.tasks:
        root = root.resolve()
        if root.is_dir() and path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name


def percentage(part, whole):
    return f"{100.0 * part / whole:.1f} %" if whole else "-"


def summarise(results, arguments):
    """Wrong verdicts first: they matter more than any time."""
    say = lambda text: print(text, file=sys.stderr)  # noqa: E731
    counts = {kind: [r for r in results if r["agreement"] == kind] for kind in [*ORDER, "module"]}
    for kind in ("wrong", "crash", "refused"):
        for r in counts[kind]:
            say(f"{kind.upper()} {r['task']}: expected {r.get('expected')}, got {r.get('verdict')} "
                f"(exit {r['exit_code']}, {r.get('ended_by') or 'ended by itself'}) {r['message']}")
    if arguments.import_only:
        unknown = [r for r in counts["module"] if r["traps_reachable"] is None]
        trapped = [r for r in counts["module"] if r["traps_reachable"]]
        free = len(counts["module"]) - len(trapped) - len(unknown)
        say(f"{len(results)} tasks: {len(counts['module'])} modules, {len(counts['refused'])} refused, "
            f"{len(counts['timeout'])} timeouts, {len(counts['crash'])} crashes")
        say(f"{free} ({percentage(free, len(results))}) without a reachable trap, {len(trapped)} with one"
            + (f", {len(unknown)} do not say" if unknown else ""))
        for r in trapped + unknown:
            say(f"TRAP {r['task']}: {r['first_trap']}")
        if results:
            slowest = max(results, key=lambda r: r["wall"])
            say(f"slowest: {slowest['wall']} s, {slowest['task']}")
    else:
        say(f"{len(results)} tasks: " + ", ".join(f"{len(counts[kind])} {kind}" for kind in ORDER))
    say(f"cpu {sum(r['cpu'] for r in results):.1f} s in all, at most {max((r['memory'] for r in results), default=0):.0f} MiB")
    return not counts["wrong"] and not counts["crash"] and bool(results)


def compare(results, path):
    """The table of a file with what other tools answered (task, expected, tool, status, cpu), and ours beside it."""
    ours = {r["task"]: r for r in results}
    tools = {}
    with path.open() as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if row["task"] in ours:
                tools.setdefault(row["tool"], []).append(row)
    rows = [("heddle", sum(r["agreement"] == "correct" for r in results), sum(r["agreement"] == "wrong" for r in results),
             sum(r["cpu"] for r in results))]
    for tool, answers in tools.items():
        judged = [(row["status"].split("(")[0].strip(), row["expected"]) for row in answers]
        rows.append((tool, sum(status == expected for status, expected in judged),
                     sum(status in ("true", "false") and status != expected for status, expected in judged),
                     sum(float(row["cpu"] or 0) for row in answers)))
    for tool, right, wrong, cpu in sorted(rows, key=lambda row: (-row[1], row[2])):
        print(f"{tool:<20} {right:>5} right {wrong:>4} wrong {cpu:>10.0f} s", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog=__doc__.split("\n", 2)[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+", type=pathlib.Path, help="task files, lists of them, or folders")
    parser.add_argument("--binary", type=pathlib.Path, default=HERE.parent / "build" / "release" / "bin" / "heddle")
    parser.add_argument("--property", choices=sorted(set(PROPERTY_OF_FILE.values())),
                        help="ask this instead of each property the task states")
    parser.add_argument("--model", default="sc")
    parser.add_argument("--time", type=float, default=10, help="seconds of wall time per task (default 10)")
    parser.add_argument("--memory", type=int, default=2000, help="MiB per task (default 2000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--import-only", action="store_true", help="only translate to ir: modules, refusals, traps")
    parser.add_argument("--output", type=pathlib.Path, help="write the JSON lines here instead of to stdout")
    parser.add_argument("--peers", type=pathlib.Path, help="what other tools answered (task, expected, tool, status, cpu), to compare with")
    parser.add_argument("--flags", nargs=argparse.REMAINDER, default=[], help="all that follows goes to heddle")
    arguments = parser.parse_args()
    if not arguments.binary.is_file():
        parser.error(f"{arguments.binary} does not exist; ./heddle builds it")
    if arguments.time == int(arguments.time):
        arguments.time = int(arguments.time)
    files = list(task_files(arguments.tasks))
    missing = [str(f) for f in files if not f.is_file()]
    if missing or not files:
        parser.error(f"no such task: {', '.join(missing) or arguments.tasks[0]}")

    work = translate if arguments.import_only else verify
    questions = [(file, prop, expected) for file in files for prop, expected in questions_of(file, arguments.property)]
    if arguments.import_only:
        questions = [(file, None, None) for file in files]
    results = []
    with (arguments.output.open("w") if arguments.output else os.fdopen(os.dup(1), "w")) as out:
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for result in pool.map(lambda question: work(*question, arguments), questions):
                results.append(result)
                print(json.dumps(result), file=out, flush=True)
    is_good = summarise(results, arguments)
    if arguments.peers:
        compare(results, arguments.peers)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
