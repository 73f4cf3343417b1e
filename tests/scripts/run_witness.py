#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Witnesses from outside: that the files are what their formats say, what is refused, and what is left behind.

  tests/scripts/run_witness.py --binary build/dev/bin/heddle
"""
import argparse
import datetime
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import uuid
import xml.etree.ElementTree

import yaml

BINARY = None
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROVED, BOUNDED, USAGE, INPUT, REACH, RACE, DEADLOCK, UNKNOWN = 0, 1, 2, 3, 10, 11, 12, 30
EPOCH = "1700000000"
NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"

# Two creations on one line, a call in a statement, a value that must be chosen, and a loop.
PROGRAM = """#include <pthread.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int x, y;
static int put(int value) {
  x = value;
  return value;
}
static void *writer(void *unused) {
  int v = __VERIFIER_nondet_uchar();
  y = put(v);
  return unused;
}
static void *reader(void *unused) {
  for (int i = 0; i < 2; i++)
    if (x == 250 && y == 0) reach_error();
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0); pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
SEQUENTIAL = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  if (__VERIFIER_nondet_int() == -3)
    reach_error();
  return 0;
}
"""


class WitnessTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="heddle-witness-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def heddle(self, *arguments, epoch=EPOCH):
        environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
        if epoch is not None:
            environment["SOURCE_DATE_EPOCH"] = epoch
        return subprocess.run([BINARY, "verify", *map(str, arguments)], cwd=self.folder, text=True, capture_output=True,
                              check=False, timeout=120, env=environment)

    def entry(self, expected, *arguments):
        """The one entry of a YAML witness."""
        done = self.heddle(*arguments, "--witness", "w.yml")
        self.assertEqual(done.returncode, expected, done.stderr)
        entries = yaml.safe_load((self.folder / "w.yml").read_text())
        self.assertEqual(len(entries), 1)
        self.assertEqual(set(entries[0]), {"entry_type", "metadata", "content"})
        return entries[0]

    def graph(self, expected, *arguments):
        """The parsed graph of a GraphML witness."""
        done = self.heddle(*arguments, "--witness", "w.graphml")
        self.assertEqual(done.returncode, expected, done.stderr)
        root = xml.etree.ElementTree.parse(self.folder / "w.graphml").getroot()
        self.assertEqual(root.tag, NAMESPACE + "graphml")
        keys = {key.get("id"): key.get("for") for key in root.iter(NAMESPACE + "key")}
        graph = root.find(NAMESPACE + "graph")
        for owner in ("graph", "node", "edge"):
            for element in root.iter(NAMESPACE + owner):
                for data in element.findall(NAMESPACE + "data"):
                    self.assertEqual(keys.get(data.get("key")), owner, data.get("key"))
        return graph

    def check_metadata(self, entry, path, version, specification):
        metadata = entry["metadata"]
        self.assertEqual(metadata["format_version"], version)
        self.assertEqual(str(uuid.UUID(metadata["uuid"])), metadata["uuid"])
        self.assertEqual(metadata["creation_time"], "2023-11-14T22:13:20Z")
        self.assertEqual(metadata["producer"]["name"], "Heddle")
        task = metadata["task"]
        digest = hashlib.sha256((self.folder / path).read_bytes()).hexdigest()
        self.assertEqual(task["input_files"], [path])
        self.assertEqual(task["input_file_hashes"], {path: digest})
        self.assertEqual(task["specification"], specification)
        self.assertEqual(task["data_model"], "LP64")
        self.assertEqual(task["language"], "C")

    def waypoints(self, entry):
        """All of them, in order, with the text that stands at the place."""
        found = []
        for segment in entry["content"]:
            self.assertEqual(set(segment), {"segment"})
            for waypoint in segment["segment"]:
                self.assertEqual(set(waypoint), {"waypoint"})
                waypoint = waypoint["waypoint"]
                self.assertEqual(waypoint["action"], "follow")
                place = waypoint["location"]
                line = (self.folder / place["file_name"]).read_text().splitlines()[place["line"] - 1]
                found.append((waypoint, line[place["column"] - 1:] if "column" in place else line.strip()))
        for segment in entry["content"][:-1]:
            self.assertEqual(len(segment["segment"]), 1)
            self.assertNotEqual(segment["segment"][0]["waypoint"]["type"], "target")
        for waypoint in entry["content"][-1]["segment"]:
            self.assertEqual(waypoint["waypoint"]["type"], "target")
        return found

    def test_a_violation_with_threads(self):
        self.write("a.c", PROGRAM)
        entry = self.entry(REACH, "a.c")
        self.assertEqual(entry["entry_type"], "violation_sequence")
        self.check_metadata(entry, "a.c", "2.2", "CHECK( init(main()), LTL(G ! call(reach_error())) )")
        waypoints = self.waypoints(entry)
        enters = [(w["thread_id"], text) for w, text in waypoints if w["type"] == "function_enter"]
        # Two calls on the line: the closing parentheses tell them apart.
        self.assertEqual(enters, [(0, "); pthread_create(&b, 0, reader, 0);"), (0, ");")])
        returns = [(w["thread_id"], w["constraint"], text) for w, text in waypoints if w["type"] == "function_return"]
        self.assertEqual(returns, [(1, {"value": "\\result == 250", "format": "ext_c_expression"},
                                    "int v = __VERIFIER_nondet_uchar();")])
        places = [(w["thread_id"], text) for w, text in waypoints if w["type"] == "assumption"]
        # The writer is told to reach x = value before the reader looks, and y = put(v) is not reached again after put().
        self.assertEqual(places, [(1, "x = value;"), (2, "if (x == 250 && y == 0) reach_error();")])
        target, text = waypoints[-1]
        self.assertEqual((target["thread_id"], text), (2, "reach_error();"))
        self.assertEqual(target["location"]["function"], "reader")

    def test_every_engine_gives_a_witness(self):
        self.write("a.c", PROGRAM)
        for engine in ("explicit", "axiomatic"):
            with self.subTest(engine):
                waypoints = self.waypoints(self.entry(REACH, "a.c", "--engine", engine))
                self.assertEqual(waypoints[-1][1], "reach_error();")

    def test_the_same_run_as_graphml(self):
        self.write("a.c", PROGRAM)
        graph = self.graph(REACH, "a.c")
        about = {data.get("key"): data.text for data in graph.findall(NAMESPACE + "data")}
        self.assertEqual(about["witness-type"], "violation_witness")
        self.assertEqual(about["programhash"], hashlib.sha256(PROGRAM.encode()).hexdigest())
        self.assertEqual(about["architecture"], "64bit")
        self.assertEqual(about["creationtime"], "2023-11-14T22:13:20Z")
        for key in ("sourcecodelang", "producer", "specification", "programfile"):
            self.assertTrue(about[key], key)
        nodes = {node.get("id"): {data.get("key") for data in node} for node in graph.findall(NAMESPACE + "node")}
        edges = graph.findall(NAMESPACE + "edge")
        # One chain from the entry to the violation.
        self.assertEqual([name for name, data in nodes.items() if "entry" in data], ["N0"])
        here = "N0"
        for edge in edges:
            self.assertEqual(edge.get("source"), here)
            here = edge.get("target")
        self.assertEqual([name for name, data in nodes.items() if "violation" in data], [here])
        self.assertEqual(len(nodes), len(edges) + 1)
        known, entered = set(), set()
        for edge in edges:
            data = {item.get("key"): item.text for item in edge}
            if "createThread" in data:
                self.assertNotIn(data["createThread"], known)
                known.add(data["createThread"])
            self.assertIn(data["threadId"], known)
            if "enterFunction" in data:
                entered.add((data["threadId"], data["enterFunction"]))
        self.assertEqual(entered, {("0", "main"), ("1", "writer"), ("2", "reader")})

    def test_without_threads_the_format_is_the_older_one(self):
        self.write("a.c", SEQUENTIAL)
        entry = self.entry(REACH, "a.c")
        self.assertEqual(entry["metadata"]["format_version"], "2.0")
        waypoints = self.waypoints(entry)
        self.assertEqual([w["type"] for w, _ in waypoints], ["function_return", "target"])
        self.assertEqual(waypoints[0][0]["constraint"]["value"], "\\result == -3")
        self.assertTrue(all("thread_id" not in w for w, _ in waypoints))
        for edge in self.graph(REACH, "a.c").iter(NAMESPACE + "edge"):
            self.assertNotIn("threadId", [data.get("key") for data in edge])

    def test_a_race_and_a_deadlock(self):
        for name, kind, code, lines in (("counter_race.c", "race", RACE, {"seen = counter;", "counter++;"}),
                                        ("lock_order.c", "deadlock", DEADLOCK,
                                         {"pthread_join(a, 0);", "pthread_mutex_lock(&second);", "pthread_mutex_lock(&first);"})):
            with self.subTest(name):
                self.write(name, (ROOT / "examples" / name).read_text())
                entry = self.entry(code, name, "--property", kind)
                waypoints = self.waypoints(entry)
                targets = [(w, text) for w, text in waypoints if w["type"] == "target"]
                self.assertEqual({text for _, text in targets}, lines)
                self.assertEqual(len({w["thread_id"] for w, _ in targets}), len(targets))
                self.graph(code, name, "--property", kind)

    def test_a_proof(self):
        self.write("a.c", (ROOT / "examples" / "store_buffering.c").read_text())
        entry = self.entry(PROVED, "a.c", "--property", "overflow")
        self.assertEqual((entry["entry_type"], entry["content"]), ("invariant_set", []))
        self.check_metadata(entry, "a.c", "2.0", "CHECK( init(main()), LTL(G ! overflow) )")
        graph = self.graph(PROVED, "a.c", "--property", "overflow")
        self.assertEqual(len(graph.findall(NAMESPACE + "node")), 1)
        self.assertIn("correctness_witness", [data.text for data in graph.findall(NAMESPACE + "data")])

    def test_the_property_of_a_task(self):
        self.write("a.c", PROGRAM.replace("reach_error", "oops"))
        self.write("p.prp", "CHECK( init(main()), LTL(G ! call(oops())) )\n")
        self.write("a.yml", "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: p.prp\n"
                            "options: {language: C, data_model: LP64}\n")
        entry = self.entry(REACH, "a.yml")
        self.check_metadata(entry, "a.c", "2.2", "CHECK( init(main()), LTL(G ! call(oops())) )")

    def test_a_name_that_needs_quotes(self):
        name = "a: #'\"&<b>.c"
        self.write(name, SEQUENTIAL)
        entry = self.entry(REACH, name)
        self.check_metadata(entry, name, "2.0", "CHECK( init(main()), LTL(G ! call(reach_error())) )")
        texts = [data.text for data in self.graph(REACH, name).findall(NAMESPACE + "data")]
        self.assertIn(name, texts)

    def test_the_same_question_has_the_same_witness(self):
        self.write("a.c", PROGRAM)
        for name in ("one.yml", "two.yml", "one.graphml", "two.graphml"):
            self.assertEqual(self.heddle("a.c", "--witness", name).returncode, REACH)
        for suffix in (".yml", ".graphml"):
            self.assertEqual((self.folder / ("one" + suffix)).read_bytes(), (self.folder / ("two" + suffix)).read_bytes())

    def test_without_a_fixed_time_it_is_now(self):
        self.write("a.c", SEQUENTIAL)
        before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        self.assertEqual(self.heddle("a.c", "--witness", "w.yml", epoch=None).returncode, REACH)
        written = yaml.safe_load((self.folder / "w.yml").read_text())[0]["metadata"]["creation_time"]
        time = datetime.datetime.strptime(written, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
        self.assertLessEqual(before, time)
        self.assertLessEqual(time, datetime.datetime.now(datetime.timezone.utc))

    def test_verdicts_without_a_witness(self):
        self.write("a.c", PROGRAM)
        done = self.heddle("a.c", "--max-states", "2", "--witness", "w.yml")
        self.assertIn(done.returncode, (BOUNDED, UNKNOWN), done.stderr)
        self.assertIn("heddle: no witness is written to w.yml: ", done.stderr)
        self.write("b.c", "int main(void) { for (volatile int i = 0; i < 9; i++) {} return 0; }\n")
        done = self.heddle("b.c", "--unwind", "2", "--witness", "w.yml")
        self.assertEqual(done.returncode, BOUNDED, done.stderr)
        self.assertIn("no witness is written to w.yml: what holds within bounds only is not proved", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.c", "b.c"])

    def test_store_buffers_are_noted(self):
        self.write("a.c", (ROOT / "examples" / "peterson.c").read_text())
        done = self.heddle("a.c", "--model", "tso", "--witness", "w.yml")
        self.assertEqual(done.returncode, REACH, done.stderr)
        self.assertRegex(done.stderr, r"heddle: note: the witness cannot tell of .* that waited in a store buffer")
        configuration = yaml.safe_load((self.folder / "w.yml").read_text())[0]["metadata"]["producer"]["configuration"]
        self.assertEqual(configuration, "--model tso")

    def refused(self, code, pattern, *arguments, epoch=EPOCH):
        done = self.heddle(*arguments, epoch=epoch)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(done.stdout, "")

    def test_what_is_refused(self):
        self.write("a.c", PROGRAM)
        self.write("b.c", "int unused;\n")
        self.write("a.hir", "module lp64\nfunc @main() -> i32 {\nblock entry:\n  ret i32 0\n}\n")
        self.refused(USAGE, r"no witnesses for the property robustness \[USE-012\]", "a.c", "--property", "robustness", "--witness", "w.yml")
        self.refused(USAGE, r"a\.hir is none \[USE-012\]", "a.hir", "--witness", "w.yml")
        self.refused(USAGE, r"one input file.*\[USE-012\]", "a.c", "b.c", "--witness", "w.graphml")
        self.refused(USAGE, r"SOURCE_DATE_EPOCH.*\[USE-012\]", "a.c", "--witness", "w.yml", epoch="soon")
        self.refused(INPUT, r"missing\.c: cannot read: .*\[LOAD-001\]", "missing.c", "--witness", "w.yml")
        (self.folder / "d.c").mkdir()
        self.refused(INPUT, r"d\.c: is a folder, not a file \[LOAD-001\]", "d.c", "--witness", "w.yml")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.c", "a.hir", "b.c", "d.c"])

    def test_a_file_that_cannot_be_written(self):
        self.write("a.c", SEQUENTIAL)
        self.refused(INPUT, r"cannot write no/w\.yml: .*\[OUT-001\]", "a.c", "--witness", "no/w.yml")
        self.refused(INPUT, r"cannot write /dev/full: .*\[OUT-001\]", "a.c", "--witness", "/dev/full")
        (self.folder / "taken.yml").mkdir()
        self.refused(INPUT, r"cannot write taken\.yml: .*\[OUT-001\]", "a.c", "--witness", "taken.yml")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.c", "taken.yml"])


def main():
    global BINARY
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    arguments, rest = parser.parse_known_args()
    BINARY = str(arguments.binary.resolve())
    suite = unittest.TestLoader().loadTestsFromTestCase(WitnessTest)
    if rest:
        suite = unittest.TestSuite(test for test in suite if re.search(rest[0], test.id()))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
    failed = len({str(test) for test, _ in result.failures + result.errors})
    print(f"{result.testsRun - failed - len(result.skipped)} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
