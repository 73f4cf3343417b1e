#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Random programs, exported: other tools must find exactly the final states that Heddle finds.

heddle-fuzz makes the program of each seed. Heddle lists its final states under one of the models; then the program asserts
at its end that the state is one of them (which must hold), and that it is not a certain one of them (which must not).
Both are exported as the machine and through store-buffer graphs, to Promela for SPIN and to C for Heddle itself under sc.
Programs that cannot be exported are counted; too many of them are a failure. The last line is `N passed, N failed`.
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile

from run import Exports, PROVED, VIOLATED
from tools import Failure, call

MODELS = ("tso", "pso", "sc")
MOST_STATES = 8


class Refused(Exception):
    pass


def asserting(text, names, condition):
    """The program with an assertion before main returns."""
    head, main = text.split("int main(void)", 1)
    place = main.rindex("  return 0;")
    return f"{head}int main(void){main[:place]}  assert({condition});\n{main[place:]}"


def is_state(state, names):
    return "(" + " && ".join(f"{name} == {state[name]}u" for name in names) + ")"


class Fuzzer:
    def __init__(self, binary, fuzz, folder, limit):
        self.exports = Exports(binary, folder, limit)
        self.binary, self.fuzz, self.folder, self.limit = binary, fuzz, pathlib.Path(folder), limit

    def states(self, source, names, model):
        report = self.folder / "outcomes.json"
        done = call([self.binary, "outcomes", source, "--model", model, "--data-model", "ILP32", "--json", report,
                     *(word for name in names for word in ("--global", name))], self.limit, accepts=(0, 1, 30, 31, 32))
        if done.returncode != 0:
            raise Refused("heddle does not list all final states")
        answer = json.loads(report.read_text())
        if not answer["complete"] or not answer["outcomes"]:
            raise Refused("no complete list of final states")
        return answer["outcomes"]

    def translate(self, source, model, via, language):
        try:
            return self.exports.translate(source, [], model, via, language, extra=["--pending", "0" if via else "8"])
        except Failure as why:
            if "cannot be exported" in str(why):
                raise Refused(re.search(r"cannot be exported.*", str(why)).group(0)) from why
            raise

    def check(self, text, names, condition, holds, model, ways):
        source = self.folder / "program.c"
        source.write_text(asserting(text, names, condition))
        answers = 0
        for via, language in ways:
            exported = self.translate(source, model, via, language)
            if language == "promela":
                answer, kind = self.exports.promela(exported)
                if not answer and kind != "assertion_failed":
                    raise Failure(f"spin reports {kind}")
            else:
                (self.folder / "export.c").write_text(exported)
                answer = call([self.binary, "verify", self.folder / "export.c", "--model", "sc"], self.limit,
                              accepts=(PROVED, VIOLATED)).returncode == PROVED
            if answer != holds:
                raise Failure(f"{language}{' reduced' if via else ''} under {model}: the assertion "
                              f"{'fails' if holds else 'holds'}:\n{source.read_text()}")
            answers += 1
        return answers

    def program(self, seed):
        """How many answers were compared."""
        text = call([self.fuzz, "--seed", seed, "--show", "c"], self.limit).stdout
        names = re.findall(r"^unsigned (\w+);", text, re.M)
        model = MODELS[seed % len(MODELS)]
        ways = [(False, "promela"), (True, "c")] if model != "sc" else [(False, "promela"), (False, "c")]
        if model != "sc":
            ways.insert(1, (True, "promela"))
        source = self.folder / "program.c"
        source.write_text(text)
        for via, language in ways:
            self.translate(source, model, via, language)
        states = self.states(source, names, model)
        if len(states) > MOST_STATES:
            raise Refused("too many final states for one assertion: SPIN reads no long expressions")
        one = states[seed % len(states)]
        return (self.check(text, names, " || ".join(is_state(state, names) for state in states), True, model, ways) +
                self.check(text, names, "!" + is_state(one, names), False, model, ways))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="build/dev/bin/heddle", type=pathlib.Path)
    parser.add_argument("--fuzz", default="build/dev/bin/heddle-fuzz", type=pathlib.Path)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--count", default=20, type=int, help="programs that are compared")
    parser.add_argument("--limit", default=300, type=int, help="seconds for each call")
    arguments = parser.parse_args()
    passed, failed, refused, seed = 0, 0, {}, arguments.seed
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(arguments.binary.resolve(), arguments.fuzz.resolve(), folder, arguments.limit)
        while passed + failed < arguments.count:
            try:
                fuzzer.program(seed)
                passed += 1
            except Refused as why:
                refused[str(why)] = refused.get(str(why), 0) + 1
            except Failure as why:
                failed += 1
                print(f"FAIL seed {seed}: {why}", flush=True)
            seed += 1
            if sum(refused.values()) > 10 * arguments.count:
                failed += 1
                print("FAIL more than ten of eleven programs cannot be exported")
                break
    for why, count in sorted(refused.items(), key=lambda entry: -entry[1]):
        print(f"  {count} not compared: {why}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
