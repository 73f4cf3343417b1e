#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Certificates of proofs from outside: what is proved is certified, the file alone convinces `heddle recheck`, and a changed
file, another program or another question does not.

  tests/scripts/run_proofs.py --binary build/dev/bin/heddle                    # a slice
  tests/scripts/run_proofs.py --binary build/dev/bin/heddle --all --verbose    # examples and all proofs of level 0
  tests/scripts/run_proofs.py --binary build/dev/bin/heddle --all --more DIR   # and the C programs below DIR, under sc

A proof without a certificate passes if the reason is told; how many there are of each reason is printed. Of every certified
proof some tampered certificates are tried (--tampered N each).
"""
import argparse
import collections
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROVED, USAGE, INPUT, TIME, OUR_BUG = 0, 2, 3, 31, 70
FIRST_LINE = b"heddle-proof 1\n"
# These have a certificate, whatever else changes.
CERTIFIED = [("examples/message_passing.c", "tso", []), ("examples/peterson.c", "sc", []), ("examples/peterson_fenced.c", "tso", []),
             ("examples/store_buffering.c", "sc", []), ("examples/lock_order.c", "sc", ["--property", "race"]),
             ("examples/peterson.c", "sc", ["--engine", "axiomatic"]), ("examples/peterson_fenced.c", "tso", ["--engine", "axiomatic"]),
             ("examples/lock_order.c", "sc", ["--engine", "axiomatic", "--property", "race"])]


def words(value):
    return shlex.split(value) if isinstance(value, str) else [str(word) for word in value or []]


def tasks_of(path):
    """(program, model, options, flags for the compiler) of each proof that a task file of level 0 expects."""
    content = yaml.safe_load(path.read_text())
    block = content.get("heddle") or {}
    files = content["input_files"]
    program = path.parent / (files if isinstance(files, str) else files[0])
    for check in block.get("checks") or [block]:
        check = {**block, **check}
        if check.get("level", 0) != 0:
            continue
        options = words(check.get("flags"))
        properties = check.get("properties") or content.get("properties") or []
        if check.get("property"):
            options += ["--property", check["property"]]
        elif properties:
            options += ["--property", str(path.parent / properties[0]["property_file"])]
        for model, verdict in (check.get("models") or {}).items():
            if verdict is True:
                yield program, model, options, words(check.get("cflags"))


class Run:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.random = arguments, folder, random.Random(arguments.seed)
        self.passed, self.failed, self.harmless, self.refused = 0, 0, 0, 0
        self.reasons, self.kinds, self.ratios = collections.Counter(), collections.Counter(), []

    def heddle(self, *words_of):
        start = time.monotonic()
        done = subprocess.run([self.arguments.binary, *map(str, words_of)], cwd=ROOT, text=True, capture_output=True, check=False,
                              errors="replace", timeout=600)
        return done, time.monotonic() - start

    def judge(self, name, is_right, why):
        if is_right:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {why}")
        if self.arguments.verbose:
            print(f"{'ok    ' if is_right else 'FAILED'} {name}")

    def prove(self, program, model, options, flags, must_be_certified=False):
        name = " ".join([str(program).removeprefix(f"{ROOT}/"), model, *options])
        proof, report = self.folder / "proof", self.folder / "report.json"
        proof.unlink(missing_ok=True)
        question = [program, "--model", model, *options]
        compiler = ["--", *flags] if flags else []
        done, _ = self.heddle("verify", *question, "--time", self.arguments.time, "--proof", proof, "--certify", "--json", report, *compiler)
        if done.returncode == OUR_BUG or (must_be_certified and done.returncode != PROVED):
            self.judge(name, False, done.stderr.strip() or done.stdout.strip())
            return None
        if done.returncode != PROVED:
            return None  # whether it is proved in so much time is not what is tested here
        content = json.loads(report.read_text())
        certificate = content.get("certificate")
        if certificate is None:
            self.judge(name, False, "the report does not say what came of the certificate")
            return None
        why = certificate["why_none"]
        if why:
            self.reasons[re.sub(r" \(.*| at .*|[\d,]+ ", "", why)] += 1
            self.judge(name, not must_be_certified, f"no certificate: {why}")
            return None
        if not certificate["rechecked"] or "; certified" not in done.stdout:
            self.judge(name, False, "certified without a word")
            return None
        again, recheck = self.heddle("recheck", proof, program)
        self.judge(name, again.returncode == PROVED and again.stdout.startswith("CERTIFIED"), f"recheck: {again.stderr or again.stdout}")
        self.kinds[json.loads(proof.read_bytes().split(b"\n", 2)[1])["kind"]] += 1
        self.ratios.append(recheck / max(content["stats"].get("seconds", 0), 0.001))
        return proof

    def refuse(self, name, program, text, may_be_harmless=False):
        """A tampered certificate, or one of something else."""
        changed = self.folder / "changed"
        changed.write_bytes(text)
        done, _ = self.heddle("recheck", changed, program)
        if may_be_harmless and done.returncode == PROVED and done.stdout.startswith("CERTIFIED"):
            self.harmless += 1
            return
        self.refused += done.returncode == INPUT
        self.judge(name, done.returncode == INPUT and not done.stdout, f"exit code {done.returncode}: {done.stdout}{done.stderr}")

    def tamper(self, program, proof):
        first, header, payload = proof.read_bytes().split(b"\n", 2)
        fields = json.loads(header)
        is_states = fields["kind"] == "closed states"

        def with_fields(**changes):
            return first + b"\n" + json.dumps({**fields, **changes}).encode() + b"\n" + payload

        name = f"tampered: {program.name}"
        for _ in range(self.arguments.tampered):
            how = self.random.randrange(6)
            at = self.random.randrange(max(1, len(payload)))
            if how == 0 and payload:  # another byte. A step of a proof that is not needed may be any other that follows.
                byte = payload[at] ^ 1 << self.random.randrange(8)
                text = payload[:at] + bytes([byte]) + payload[at + 1:]
                self.refuse(f"{name}, byte {at}", program, first + b"\n" + header + b"\n" + text, not is_states)
            elif how == 1 and payload:  # one byte less, and the header knows
                parts = [dict(part) for part in fields["parts"]]
                parts[-1]["bytes"] -= 1
                text = payload[:at] + payload[at + 1:]
                self.refuse(f"{name}, without byte {at}", program,
                            first + b"\n" + json.dumps({**fields, "parts": parts}).encode() + b"\n" + text, not is_states)
            elif how == 2 and payload:
                self.refuse(f"{name}, cut at {at}", program, first + b"\n" + header + b"\n" + payload[:at])
            elif how == 3:
                self.refuse(f"{name}, another kind", program,
                            with_fields(kind="refuted formulas" if is_states else "closed states"))
            elif how == 4:
                digest = fields["program"]
                self.refuse(f"{name}, another program", program, with_fields(program=digest[:-1] + ("0" if digest[-1] != "0" else "1")))
            else:
                self.refuse(f"{name}, no parts", program, with_fields(parts=[]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--all", action="store_true", help="not only a slice")
    parser.add_argument("--every", type=int, default=24, help="the slice: each so many-th proof")
    parser.add_argument("--more", type=pathlib.Path, help="also the C programs below this folder")
    parser.add_argument("--filter", default="")
    parser.add_argument("--time", default="10")
    parser.add_argument("--tampered", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    tasks = [task for path in sorted((ROOT / "tests" / "regress").rglob("*.yml")) for task in tasks_of(path)]
    tasks = tasks if arguments.all else tasks[::arguments.every]
    if arguments.more:
        tasks += [(path, "sc", [], []) for path in sorted(arguments.more.rglob("*.c"))]
    tasks = [(*task, False) for task in tasks]
    tasks = [(ROOT / program, model, options, [], True) for program, model, options in CERTIFIED] + tasks
    with tempfile.TemporaryDirectory(prefix="heddle-proofs-") as folder:
        run = Run(arguments, pathlib.Path(folder))
        print(f"seed {arguments.seed}")
        for program, model, options, flags, must in tasks:
            if arguments.filter in str(program):
                proof = run.prove(program, model, options, flags, must)
                if proof is not None:
                    run.tamper(program, proof)
        others = [ROOT / "examples" / "peterson.c", ROOT / "examples" / "message_passing.c"]
        if arguments.filter in str(others[0]) and (proof := run.prove(others[0], "sc", [], [], True)):
            done, _ = run.heddle("recheck", proof, others[1])
            run.judge("another program", done.returncode == INPUT and "RECHECK-003" in done.stderr, done.stderr)
            done, _ = run.heddle("recheck", proof)
            run.judge("no program", done.returncode == USAGE, done.stderr)
            done, _ = run.heddle("recheck", others[0], others[0])
            run.judge("no certificate", done.returncode == INPUT and "RECHECK-002" in done.stderr, done.stderr)
            done, _ = run.heddle("recheck", proof, others[0], "--time", "0.001")
            run.judge("no time", done.returncode == TIME and done.stdout.startswith("UNKNOWN"), f"{done.returncode} {done.stdout}")
    for kind, count in sorted(run.kinds.items()):
        print(f"certified by {kind}: {count}")
    for why, count in run.reasons.most_common():
        print(f"no certificate: {count} ({why})")
    if run.ratios:
        print(f"recheck takes {sorted(run.ratios)[len(run.ratios) // 2]:.2f} of the time of verify with the certificate (median)")
    print(f"tampered: {run.refused} refused, {run.harmless} harmless")
    print(f"{run.passed} passed, {run.failed} failed")
    return 0 if run.passed and not run.failed else 1


if __name__ == "__main__":
    sys.exit(main())
