#!/usr/bin/env python3
# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs `heddle linearizable` on the programs of examples/linearizable and compares verdicts.

Each line of the table: program, compiler flags, what is asked, and the exit code under each model (1: holds within the
bounds, 16: not linearizable). Every violation has been replayed by heddle itself before it is reported; here its JSON is
read and its history is looked at. The last line is `N passed, N failed`.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples" / "linearizable"
HOLDS, VIOLATED = 1, 16
EVERYWHERE = {"sc": HOLDS, "tso": HOLDS, "pso": HOLDS}
NOWHERE = {"sc": VIOLATED, "tso": VIOLATED, "pso": VIOLATED}
ONLY_SC = {"sc": HOLDS, "tso": VIOLATED, "pso": VIOLATED}
NOT_PSO = {"sc": HOLDS, "tso": HOLDS, "pso": VIOLATED}

STACK = ["--object", "stack", "--functions", "push,pop"]
QUEUE = ["--object", "queue", "--functions", "enqueue,dequeue", "--init", "init"]
DEQUE = ["--object", "deque", "--functions", "push_bottom,pop_bottom,pop_top", "--roles", "push_bottom,pop_bottom/pop_top",
         "--abort", "-2", "--empty", "-1"]
LOCK = ["--object", "lock", "--operations", "1", "--functions"]
REGISTER = ["--object", "register", "--functions", "write,read"]
STM = ["--object", "stm", "--functions", "w0r1,w1r0,w0w1,r0r1", "--operations", "1"]
SET = ["--object", "set", "--functions", "add,remove=take,contains", "--init", "init"]
STACK_SPEC = ["--spec", str(EXAMPLES / "stack_spec.c"), "--functions", "push,pop"]
SET_SPEC = ["--spec", str(EXAMPLES / "set_spec.c"), "--functions", "add,remove=take,contains", "--init", "init", "--operations", "1",
            "--arguments", "keys"]
ONE_SPEC = ["--spec", str(EXAMPLES / "set_spec.c"), "--functions", "add,remove=take,contains", "--init", "init_with_one",
            "--arguments", "keys", "--roles", "remove/add,contains"]
LATE = ["--object", "set", "--functions", "add,contains", "--roles", "add/contains", "--keys", "1", "--operations", "1"]
RING = ["--object", "queue", "--functions", "enqueue=put,dequeue=get", "--roles", "enqueue/dequeue", "--capacity", "2"]
TASKS = [
    # Compare-and-swap empties the store buffer: nothing is delayed past a return.
    ("treiber_stack.c", [], STACK, EVERYWHERE),
    ("treiber_stack.c", ["BROKEN"], STACK, NOWHERE),
    ("michael_scott_queue.c", [], QUEUE, EVERYWHERE),
    ("michael_scott_queue.c", ["BROKEN"], QUEUE, NOWHERE),
    # A push may be delayed past its return: pop_top then finds nothing.
    ("arora_deque.c", ["TSO_FENCE", "PSO_FENCE"], DEQUE, ONLY_SC),
    ("arora_deque.c", ["BROKEN"], DEQUE, NOWHERE),
    # … which TSO linearizability allows.
    ("arora_deque.c", ["TSO_FENCE"], DEQUE + ["--notion", "tso"], {"tso": HOLDS}),
    ("arora_deque.c", ["BROKEN"], DEQUE + ["--notion", "tso"], {"tso": VIOLATED}),
    ("arora_deque.c", ["TSO_FENCE"], DEQUE + ["--notion", "tso-to-tso"], {"tso": HOLDS}),
    ("arora_deque.c", ["BROKEN"], DEQUE + ["--notion", "tso-to-tso"], {"tso": VIOLATED}),
    # A release may be delayed past its return; try_acquire then fails.
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release"], ONLY_SC),
    ("spinlock.c", ["FENCE"], LOCK + ["acquire,try_acquire,release"], EVERYWHERE),
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release", "--notion", "tso"], {"tso": HOLDS}),
    ("spinlock.c", ["BROKEN"], LOCK + ["acquire,try_acquire,release", "--notion", "tso"], {"tso": VIOLATED}),
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release", "--notion", "tso-to-tso"], {"tso": HOLDS}),
    ("spinlock.c", ["BROKEN"], LOCK + ["acquire,try_acquire,release", "--notion", "tso-to-tso"], {"tso": VIOLATED}),
    # What has returned something has taken effect; TSO linearizability alone lets it wait.
    ("late_set.c", [], LATE, ONLY_SC),
    ("late_set.c", [], LATE + ["--notion", "tso-to-tso"], {"tso": VIOLATED}),
    ("late_set.c", [], LATE + ["--notion", "tso"], {"tso": HOLDS}),
    ("late_set.c", ["FENCE"], LATE, EVERYWHERE),
    ("late_set.c", ["FENCE"], LATE + ["--notion", "tso-to-tso"], {"tso": HOLDS}),
    # Who can only wait does not see the delay.
    ("spinlock.c", [], LOCK + ["acquire,release"], EVERYWHERE),
    ("spinlock.c", ["BROKEN"], LOCK + ["acquire,release"], NOWHERE),
    ("ticket_lock.c", [], LOCK + ["acquire,release"], EVERYWHERE),
    ("ticket_lock.c", [], LOCK + ["acquire,release", "--threads", "3"], {"sc": HOLDS, "tso": HOLDS}),
    ("ticket_lock.c", ["BROKEN"], LOCK + ["acquire,release"], NOWHERE),
    ("seqlock.c", [], REGISTER, NOT_PSO),
    ("seqlock.c", ["PSO_FENCE"], REGISTER, EVERYWHERE),
    ("seqlock.c", ["PSO_FENCE", "BROKEN"], REGISTER, NOWHERE),
    ("tml.c", [], STM, NOT_PSO),
    ("tml.c", ["PSO_FENCE"], STM, EVERYWHERE),
    ("tml.c", ["PSO_FENCE", "BROKEN"], STM, NOWHERE),
    ("harris_list.c", [], SET + ["--operations", "1"], EVERYWHERE),
    ("harris_list.c", [], SET + ["--keys", "1"], {"sc": HOLDS}),
    ("harris_list.c", ["BROKEN"], SET, {"sc": VIOLATED, "tso": VIOLATED}),
    # A buffer that may be full. What is put in may be seen late.
    ("ring_buffer.c", [], RING + ["--operations", "3"], ONLY_SC),
    ("ring_buffer.c", ["PSO_FENCE"], RING + ["--notion", "tso"], {"tso": HOLDS}),
    ("ring_buffer.c", ["FENCE"], RING + ["--operations", "3"], NOT_PSO),
    ("ring_buffer.c", ["FENCE", "PSO_FENCE"], RING + ["--operations", "3"], EVERYWHERE),
    ("ring_buffer.c", ["FENCE", "BROKEN"], RING, NOWHERE),
    # Against specifications in C.
    ("treiber_stack.c", [], STACK_SPEC, EVERYWHERE),
    ("treiber_stack.c", ["BROKEN"], STACK_SPEC, NOWHERE),
    ("treiber_stack.c", ["TWO_PLACES"], STACK_SPEC + ["--operations", "3", "--threads", "1"], {"sc": VIOLATED}),
    ("harris_list.c", [], SET_SPEC, {"sc": HOLDS, "pso": HOLDS}),
    ("harris_list.c", ["ADDS_TWICE"], SET_SPEC, {"sc": VIOLATED}),
    # A write is finished by whoever comes next.
    ("helped_register.c", [], REGISTER, EVERYWHERE),
    ("helped_register.c", ["BROKEN"], REGISTER, NOWHERE),
    # A removal that does not mark its node loses an insertion behind it.
    ("harris_list.c", ["ONE"], ONE_SPEC, {"sc": HOLDS, "tso": HOLDS}),
    ("harris_list.c", ["ONE", "BROKEN"], ONE_SPEC, NOWHERE),
]
# The same by engines that know no marks, with bounds that each of them can cope with; what the explicit engine says is the
# expectation. The axiomatic engine takes the tasks above with their own bounds as well, the enumerating one is for few events.
SMALL = ["--operations", "1"]
LOCKS = [("spinlock.c", [], LOCK + ["acquire,try_acquire,release"]), ("spinlock.c", ["FENCE"], LOCK + ["acquire,try_acquire,release"]),
         ("spinlock.c", ["BROKEN"], LOCK + ["acquire,release"]), ("ticket_lock.c", [], LOCK + ["acquire,release"]),
         ("ticket_lock.c", ["BROKEN"], LOCK + ["acquire,release"])]
FEW_EVENTS = LOCKS + [
    ("treiber_stack.c", [], STACK + SMALL), ("treiber_stack.c", ["BROKEN"], STACK + SMALL),
    ("arora_deque.c", ["TSO_FENCE", "PSO_FENCE"], DEQUE + SMALL), ("arora_deque.c", ["BROKEN"], DEQUE + SMALL),
    ("seqlock.c", [], REGISTER + SMALL), ("seqlock.c", ["PSO_FENCE"], REGISTER + SMALL),
    ("seqlock.c", ["PSO_FENCE", "BROKEN"], REGISTER + SMALL),
    ("late_set.c", [], LATE), ("late_set.c", ["FENCE"], LATE),
]
# The Harris list walks through nodes in nested loops: for the solver with one operation each and one key, and too many events
# for the enumerating engine. Of that a thread of the Michael-Scott queue that dequeues twice could, alone, read an index that is
# not one of the array; its init has a loop that has to be unrolled as often as it turns.
FEW_EVENTS += [("michael_scott_queue.c", [], QUEUE + SMALL)]
ENGINES = [("axiomatic", ("harris_list.c", [], SET + SMALL + ["--keys", "1"]))] + [("axiomatic", task[:3]) for task in TASKS if task[0] != "harris_list.c" and "--notion" not in task[2]]
ENGINES += [("axiomatic", ("spinlock.c", [], LOCK + ["acquire,try_acquire,release", "--notion", notion])) for notion in ("tso-to-tso", "tso")]
# Every notion by every engine, and with a specification in C.
FEWEST_EVENTS = [
    ("late_set.c", [], LATE), ("late_set.c", ["FENCE"], LATE), ("seqlock.c", ["PSO_FENCE", "BROKEN"], REGISTER + SMALL),
    ("treiber_stack.c", [], STACK + SMALL), ("treiber_stack.c", ["BROKEN"], STACK + SMALL),
    ("treiber_stack.c", [], STACK_SPEC + SMALL), ("treiber_stack.c", ["BROKEN"], STACK_SPEC + SMALL),
]
ENGINES += [(engine, (program, defines, asked + ["--notion", notion])) for engine in ("axiomatic", "enumerate")
            for notion in ("quiescent", "tso", "tso-to-tso") for program, defines, asked in FEWEST_EVENTS]
ENGINES += [("enumerate", task) for task in FEW_EVENTS]
# Program, flags, what is asked, model, exit code, and what the headline says.
POP = ["--linearization-point", "pop:28:read", "--linearization-point", "pop:34:cas"]
POINTS = [
    ("treiber_stack.c", [], STACK + SMALL + POP + ["--linearization-point", "push:24:cas"], "sc", HOLDS, "linearizable as a stack"),
    ("treiber_stack.c", [], STACK + SMALL + POP + ["--linearization-point", "push:24:cas"], "tso", HOLDS, "linearizable as a stack"),
    # Too early: the node is not there yet.
    ("treiber_stack.c", [], STACK + SMALL + POP + ["--linearization-point", "push:20:flush"], "sc", VIOLATED, "the order in which"),
    # The compare-and-swap of a pop that finds nothing does not take place.
    ("treiber_stack.c", [], STACK + SMALL + POP[2:] + ["--linearization-point", "push:24:cas"], "sc", VIOLATED, "pop() = -1 passes none"),
    # F36: a release takes effect when its store reaches memory, not when it is put into the buffer. TSO linearizability by points.
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release", "--linearization-point", "try_acquire:21:cas",
                               "--linearization-point", "release:31:flush"], "tso", HOLDS, "linearizable as a lock"),
    # F37: … which may be after the return: TSO linearizability, but not TSO-to-SC, as the warning says.
    ("spinlock.c", [], LOCK + ["try_acquire,release", "--linearization-point", "try_acquire:21:cas", "--linearization-point", "release:31:flush"],
     "tso", HOLDS, "release:31:flush may come after the return"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "push:1:cas"], "sc", 3, "HAR-004"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "push:24"], "sc", 2, "USE-025"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "push:20:flush"], "pso", 2, "USE-023"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "push:20:flush", "--threads", "8"], "tso", 2, "USE-024"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "push:24:cas:?1"], "sc", 2, "USE-025"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "pop:34:cas:=1", "--linearization-point", "pop:28:read:=2"], "sc", 2, "USE-025"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "pop:28:read:=-1", "--engine", "axiomatic"], "sc", 2, "USE-023"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "infer", "--engine", "axiomatic"], "sc", 2, "USE-023"),
    # With two operations each, and with points that depend on what is returned.
    ("treiber_stack.c", [], STACK + POP + ["--linearization-point", "push:24:cas"], "tso", HOLDS, "linearizable as a stack"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "pop:28:read:=-1", "--linearization-point", "pop:34:cas",
                                     "--linearization-point", "push:24:cas"], "sc", HOLDS, "linearizable as a stack"),
    ("treiber_stack.c", [], STACK + ["--linearization-point", "pop:28:read", "--linearization-point", "pop:34:cas:=-1",
                                     "--linearization-point", "push:24:cas"], "sc", VIOLATED, "the order in which"),
    ("treiber_stack.c", [], STACK + ["--engine", "portfolio"], "sc", 2, "USE-010"),
    ("treiber_stack.c", [], STACK + ["--notion", "tso-to-tso"], "sc", 2, "USE-023"),
]
# Ways in which functions say what came back, and what cannot be asked. Program beside this script, flags, what is asked, exit code, text.
HERE = pathlib.Path(__file__).resolve().parent


def conventions(put, take, *more):
    return ["--object", "stack", "--functions", f"push={put},pop={take}", "--operations", "1", *more]


CONVENTIONS = [
    ([], conventions("put", "take_or_negative"), HOLDS, ""),
    ([], conventions("put_anyway", "take_or_zero", "--empty", "0"), HOLDS, ""),
    ([], conventions("put", "take_or_zero"), VIOLATED, "pop() = 0"),
    ([], conventions("put", "take_byte"), HOLDS, ""),
    ([], conventions("put", "take_byte", "--empty", "255"), HOLDS, ""),
    ([], conventions("put", "take_byte", "--empty", "254"), VIOLATED, "it could have returned 254"),
    ([], conventions("put", "take_unsigned", "--empty", "4294967295"), HOLDS, ""),
    ([], conventions("put_pointer", "take_pointer", "--empty", "0"), HOLDS, ""),
    (["FIRST=9"], conventions("put", "take_byte", "--initial", "9"), HOLDS, ""),
    (["FIRST=9"], conventions("put", "take_byte"), VIOLATED, "pop() = 9"),
    ([], conventions("put", "take_byte", "--initial", "9"), VIOLATED, "it could have returned 9"),
    # Room for two: the third of three threads finds none.
    ([], conventions("put", "take_or_negative", "--threads", "3", "--capacity", "2"), HOLDS, ""),
    ([], conventions("put_or_negative", "take_or_negative", "--threads", "3", "--capacity", "2", "--full", "-7"), HOLDS, ""),
    ([], conventions("put", "take_or_negative", "--threads", "3", "--capacity", "1"), VIOLATED, "push(2) = 1"),
    (["NO_LIMIT"], conventions("put", "take_or_negative", "--threads", "3", "--capacity", "2"), VIOLATED, "it could have returned 0"),
    (["LIES"], conventions("put", "take_or_negative", "--threads", "3", "--capacity", "2"), VIOLATED, "it could have returned 0"),
    (["LIES"], ["--object", "stack", "--functions", "push=put,pop=take_or_negative", "--threads", "1", "--operations", "6"], VIOLATED,
     "what push returns does not count"),
    ([], conventions("put", "take_or_negative", "--abort", "0"), HOLDS, ""),
    ([], conventions("put", "take_to"), 3, "as in int f(void) { int v; return take_to(&v) ? v : -1; }"),
    ([], conventions("put", "take_double"), 3, "'take_double' returns a floating-point number"),
    ([], conventions("put", "take_answer"), 3, "'take_answer' returns a structure"),
    ([], conventions("put_answer", "take_or_negative"), 3, "'put_answer' takes a structure"),
    ([], conventions("put_at", "take_or_negative"), 3, "HAR-002"),
    ([], conventions("put", "nothing"), 3, "no function 'nothing'"),
    ([], conventions("put_anyway", "take_or_negative", "--capacity", "2"), 2, "'put_anyway' returns nothing"),
    ([], conventions("put", "take_or_negative", "--initial", "1,x"), 2, "USE-020"),
    ([], conventions("put", "take_or_negative", "--initial", "1,2,3", "--capacity", "2"), 2, "HIS-005"),
    ([], ["--spec", str(HERE / "conventions.c"), "--functions", "put,take_or_negative", "--initial", "1"], 2, "USE-023"),
    # A specification with another type for the same numbers.
    ([], ["--spec", str(HERE / "conventions.c"), "--functions", "take=take_byte,put", "--operations", "1"], 3, "'take_byte' has 0 parameters"),
    ([], ["--spec", str(HERE / "conventions.c"), "--functions", "take_unsigned=take_or_negative,put", "--operations", "1"], HOLDS, ""),
    ([], ["--spec", str(HERE / "conventions.c"), "--functions", "take_byte=take_unsigned,put=put_or_negative", "--operations", "1"], VIOLATED, "put(1) = 0"),
]
# F37: with something that empties the buffer before the return there is nothing to warn of; nor is there where points are updates.
LATE_POINT = "may come after the return"
NOT_LATE = [("spinlock.c", ["FENCE"], "tso", [("try_acquire", "atomic_exchange(&taken, 1)", "cas"), ("release", "atomic_store_explicit(&taken, 0", "flush")]),
            ("spinlock.c", [], "sc", [("try_acquire", "atomic_exchange(&taken, 1)", "cas"), ("release", "atomic_store_explicit(&taken, 0", "flush")])]
# Points that are looked for. Program, flags, what is asked, model, exit code, and the points: function, text of the line, how.
# None: there are none, and the reason.
RELEASE = ("release", "atomic_store_explicit(&taken, 0", "flush")
TRY = ("try_acquire", "atomic_exchange(&taken, 1)", "cas")
PUSH = ("push", "atomic_compare_exchange_strong(&top, &seen, node)", "cas")
POPS = [("pop", "atomic_load_explicit(&top", "read"), ("pop", "atomic_compare_exchange_strong(&top, &seen, seen->next)", "cas")]
INFERRED = [
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release"], "sc", HOLDS, [TRY, RELEASE]),
    # A release that is delayed past its return takes effect when it reaches memory.
    ("spinlock.c", [], LOCK + ["try_acquire,release"], "tso", HOLDS, [TRY, RELEASE]),
    ("spinlock.c", ["BROKEN"], LOCK + ["acquire,try_acquire,release"], "sc", VIOLATED, "not linearizable"),
    ("ticket_lock.c", [], LOCK + ["acquire,release"], "sc", HOLDS,
     [("acquire", "atomic_load_explicit(&serving", "read"), ("release", "atomic_store_explicit(&serving", "flush")]),
    ("ticket_lock.c", ["BROKEN"], LOCK + ["acquire,release"], "sc", VIOLATED, "not linearizable"),
    ("treiber_stack.c", [], STACK, "sc", HOLDS, [PUSH] + POPS),
    # With one operation each no two pops find something: then the load that is followed by the update does as well, and is the smaller set.
    ("treiber_stack.c", [], STACK + SMALL, "pso", HOLDS, [PUSH, POPS[0]]),
    ("treiber_stack.c", ["BROKEN"], STACK, "sc", VIOLATED, "not linearizable"),
    ("seqlock.c", ["PSO_FENCE"], REGISTER, "sc", HOLDS, [("write", "atomic_compare_exchange_strong", "cas"), ("read", "int before", "read")]),
    ("seqlock.c", ["PSO_FENCE", "BROKEN"], REGISTER, "sc", VIOLATED, "not linearizable"),
    # A write may take effect by a step of another one.
    ("helped_register.c", [], REGISTER, "sc", HOLDS, "helped by another"),
    ("helped_register.c", ["BROKEN"], REGISTER, "sc", VIOLATED, "not linearizable"),
]
# Program, flags, what is asked, model, and the fences that are suggested: function, line, order. None: no fences help.
FULL, STORES = "seq_cst", "release"
DEQUE_3 = DEQUE + ["--operations", "3"]
FENCES = [
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release"], "tso", [("release", "taken, 0", FULL)]),
    ("spinlock.c", [], LOCK + ["acquire,try_acquire,release"], "pso", [("release", "taken, 0", FULL)]),
    ("spinlock.c", ["BROKEN"], LOCK + ["acquire,release"], "tso", None),
    ("seqlock.c", [], REGISTER, "pso", [("write", "STORE(sequence, seen + 2)", STORES)]),
    ("tml.c", [], STM, "pso", [("commit", "STORE(global, seen + 1)", STORES)]),
    ("treiber_stack.c", ["BROKEN"], STACK, "pso", None),
    # Arora and others: one in pop_bottom between the write of bottom and the read of age. As a push may not be delayed
    # past its return, it needs one as well.
    ("arora_deque.c", [], DEQUE_3, "tso",
     [("push_bottom", "STORE(bottom, b + 1)", FULL), ("pop_bottom", "STORE(bottom, b)", FULL)]),
    # … and one between the two stores of push_bottom.
    ("arora_deque.c", ["TSO_FENCE"], DEQUE, "pso",
     [("push_bottom", "STORE(bottom, b + 1)", STORES), ("push_bottom", "STORE(bottom, b + 1)", FULL)]),
]
# Objects that are no examples: program beside this script, flags, what is asked, and the exit codes.
OBJECTS = HERE / "objects"
TWO_LOCKS = ["--object", "queue", "--functions", "enqueue,dequeue"]
VYUKOV = ["--object", "queue", "--functions", "enqueue=put,dequeue=get", "--init", "init", "--capacity", "2"]
FLAT = ["--object", "counter", "--functions", "increment,get"]
SNAPSHOT = ["--spec", str(OBJECTS / "snapshot_spec.c"), "--functions", "update0,update1,scan"]
ABA = STACK + ["--roles", "pop/pop,push", "--operations", "3", "--init", "init", "--initial", "7,8"]
LAZY = ["--object", "set", "--functions", "add,remove=take,contains"]
OBJECT_TASKS = [
    # What is enqueued waits in the buffer past the return.
    ("two_lock_queue.c", [], TWO_LOCKS, ONLY_SC),
    ("two_lock_queue.c", [], TWO_LOCKS + ["--notion", "tso-to-tso"], {"tso": HOLDS}),
    ("two_lock_queue.c", [], TWO_LOCKS + ["--notion", "tso"], {"tso": HOLDS}),
    ("two_lock_queue.c", ["FENCE"], TWO_LOCKS, EVERYWHERE),
    ("two_lock_queue.c", ["FENCE", "BROKEN"], TWO_LOCKS, NOWHERE),
    ("elimination_stack.c", [], STACK, EVERYWHERE),
    ("elimination_stack.c", ["BROKEN"], STACK, NOWHERE),
    ("vyukov.c", ["PSO_FENCE"], VYUKOV + ["--operations", "1"], ONLY_SC),
    ("vyukov.c", [], VYUKOV, {"sc": VIOLATED}),
    ("vyukov.c", [], VYUKOV + ["--abort", "-1"], {"sc": HOLDS}),
    ("vyukov.c", [], VYUKOV + ["--notion", "quiescent"], {"sc": HOLDS}),
    ("flat_counter.c", [], FLAT, ONLY_SC),
    ("flat_counter.c", ["FENCE"], FLAT, EVERYWHERE),
    # One thread has read its own increment before the other can, which reads less later.
    ("flat_counter.c", [], FLAT + ["--notion", "tso"], {"tso": VIOLATED}),
    ("flat_counter.c", ["FENCE"], ["--object", "counter", "--functions", "increment,decrement,get", "--threads", "3", "--operations", "1"],
     {"sc": VIOLATED}),
    ("flat_counter.c", ["FENCE", "BROKEN"], ["--object", "counter", "--functions", "increment=bump,get"], NOWHERE),
    ("rw_register.c", [], REGISTER, NOT_PSO),
    ("rw_register.c", ["RMW"], REGISTER, EVERYWHERE),
    ("rw_register.c", ["BROKEN"], REGISTER, NOWHERE),
    ("snapshot.c", ["FENCE"], SNAPSHOT, EVERYWHERE),
    ("snapshot.c", [], SNAPSHOT, {"tso": VIOLATED}),
    ("snapshot.c", ["FENCE", "BROKEN"], SNAPSHOT, NOWHERE),
    ("bakery.c", [], LOCK + ["acquire,release"], {"sc": HOLDS, "tso": VIOLATED}),
    ("bakery.c", [], LOCK + ["acquire,release", "--engine", "axiomatic"], {"tso": VIOLATED, "pso": VIOLATED}),
    ("bakery.c", ["FENCE"], LOCK + ["acquire,release"], EVERYWHERE),
    ("bakery.c", ["FENCE", "BROKEN"], LOCK + ["acquire,release"], {"sc": VIOLATED}),
    ("aba_stack.c", [], ABA, {"sc": HOLDS}),
    ("aba_stack.c", ["BROKEN"], ABA, {"sc": VIOLATED, "tso": VIOLATED}),
    ("lazy_list.c", [], LAZY + ["--operations", "1"], {"sc": HOLDS}),
    ("lazy_list.c", ["BROKEN"], LAZY + ["--init", "init_with_one", "--initial", "1", "--roles", "remove/add,contains"], {"sc": VIOLATED}),
]


def run(binary, program, defines, asked, model):
    """The process that ran, and what its JSON says."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [binary, "linearizable", str(EXAMPLES / program), *asked, "--model", model, "--json", str(report), "--",
                   *(f"-D{name}" for name in defines)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        return ran, json.loads(report.read_text()) if report.is_file() else None


def problem(ran, data, expected):
    if ran.returncode != expected:
        return f"exit code {ran.returncode}, expected {expected}\n{ran.stdout}{ran.stderr}"
    if data is None or data["exit_code"] != expected:
        return "the JSON report is missing or says something else"
    if data["histories"] == 0:
        return "no history was looked at"
    if expected == VIOLATED and (not data["history"] or data["run"]["verdict"] != "violated"):
        return "there is no history, or no run that has it"
    if expected == VIOLATED and "  thread 1  " not in ran.stdout:
        return "there is no diagram"
    return None


def table():
    """What docs/linearizability.md says about the built-in objects: the expectations above, which every run of this
    script compares with the verdicts."""
    words = {HOLDS: "holds", VIOLATED: "violated", None: ""}
    lines = ["| Program | Flags | Asked | SC | TSO | PSO |", "|---|---|---|---|---|---|"]
    for program, defines, asked, expectations in TASKS:
        flags = " ".join(f"`-D{name}`" for name in defines)
        what = asked[asked.index("--functions") + 1]
        more = " ".join(f"{option} {asked[asked.index(option) + 1]}" for option in ("--notion", "--threads", "--operations", "--keys", "--init", "--capacity") if option in asked)
        if "--spec" in asked:
            more = f"--spec {pathlib.Path(asked[asked.index('--spec') + 1]).name} {more}".rstrip()
        verdicts = " | ".join(words[expectations.get(model)] for model in ("sc", "tso", "pso"))
        lines.append(f"| `{program}` | {flags} | `{what}`{' `' + more + '`' if more else ''} | {verdicts} |")
    return "\n".join(lines) + "\n"


def fence_problem(ran, data, program, expected):
    if ran.returncode != VIOLATED or data is None or "fences" not in data:
        return f"exit code {ran.returncode}\n{ran.stdout}{ran.stderr}"
    if data["fences"]["found"] != (expected is not None):
        return f"fences found: {data['fences']}"
    lines = (EXAMPLES / program).read_text().splitlines()
    found = sorted((one["function"], lines[one["line"] - 1], one["fence"]) for one in data["fences"]["fences"])
    wanted = sorted(expected or [])
    if len(found) != len(wanted):
        return f"{found}, expected {wanted}"
    for wish in wanted:
        if not any(one[0] == wish[0] and wish[1] in one[1] and wish[2] in one[2] for one in found):
            return f"{found}, expected {wanted}"
    return None


def points_problem(ran, data, program, expected):
    points = data.get("linearization_points")
    if points is None or points["found"] != (not isinstance(expected, str)):
        return f"points found: {points}"
    if isinstance(expected, str):
        return None if expected in points["why_not"] and "none found" in ran.stdout else f"{points['why_not']}, expected {expected}"
    lines = (EXAMPLES / program).read_text().splitlines()
    found = [(one["function"], lines[one["line"] - 1], one["how"]) for one in points["points"]]
    if len(found) != len(expected) or any(one["option"] not in ran.stdout for one in points["points"]):
        return f"{found}, expected {expected}"
    for function, text, how in expected:
        if not any(one[0] == function and text in one[1] and one[2] == how for one in found):
            return f"{found}, expected {expected}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default="heddle")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--table", action="store_true", help="print the table of docs/linearizability.md and stop")
    arguments = parser.parse_args()
    if arguments.table:
        print(table(), end="")
        return 0
    passed = failed = 0
    if table() in (ROOT / "docs" / "linearizability.md").read_text():
        passed += 1
    else:
        failed += 1
        print("FAILED docs/linearizability.md does not hold what --table prints")
    objects = [(OBJECTS / program, *rest) for program, *rest in OBJECT_TASKS]
    for program, defines, asked, expectations in TASKS + objects:
        if arguments.only not in str(program):
            continue
        for model, expected in expectations.items():
            ran, data = run(arguments.binary, program, defines, asked, model)
            wrong = problem(ran, data, expected)
            if wrong is None:
                passed += 1
            else:
                failed += 1
                print(f"FAILED {program} {' '.join(defines)} {' '.join(asked)} {model}: {wrong}")
    def count(wrong, what):
        nonlocal passed, failed
        if wrong is None:
            passed += 1
        else:
            failed += 1
            print(f"FAILED {what}: {wrong}")

    for engine, (program, defines, asked) in ENGINES:
        if arguments.only not in program:
            continue
        needs_tso = "tso-to-tso" in asked or "tso" in asked
        for model in ("tso",) if needs_tso else ("sc", "tso", "pso"):
            expected = run(arguments.binary, program, defines, asked, model)[0].returncode
            ran, data = run(arguments.binary, program, defines, asked + ["--engine", engine], model)
            wrong = problem(ran, data, expected)
            if wrong is None and (expected not in (HOLDS, VIOLATED) or data["engine"] != engine):
                wrong = f"the explicit engine: exit code {expected}; answered by {data['engine']}"
            count(wrong, f"{engine} {program} {' '.join(defines)} {' '.join(asked)} {model}")
    for program, defines, asked, model, expected, text in POINTS:
        if arguments.only not in program:
            continue
        ran, data = run(arguments.binary, program, defines, asked, model)
        wrong = problem(ran, data, expected) if expected in (HOLDS, VIOLATED) else None
        if wrong is None and (ran.returncode != expected or text not in ran.stdout + ran.stderr):
            wrong = f"exit code {ran.returncode}, expected {expected} and '{text}'\n{ran.stdout}{ran.stderr}"
        # Marks and the clock see the same order.
        by_clock = expected in (HOLDS, VIOLATED) and program == "treiber_stack.c" and "--operations" in asked
        if wrong is None and by_clock:
            ran, data = run(arguments.binary, program, defines, asked + ["--engine", "axiomatic"], model)
            wrong = problem(ran, data, expected)
        count(wrong, f"{program} {' '.join(asked)} {model}")
    for defines, asked, expected, text in CONVENTIONS if arguments.only in "conventions.c" else []:
        ran, data = run(arguments.binary, HERE / "conventions.c", defines, asked, "sc")
        wrong = problem(ran, data, expected) if expected in (HOLDS, VIOLATED) else None
        if wrong is None and (ran.returncode != expected or text not in ran.stdout + ran.stderr):
            wrong = f"exit code {ran.returncode}, expected {expected} and '{text}'\n{ran.stdout}{ran.stderr}"
        count(wrong, f"conventions.c {' '.join(defines)} {' '.join(asked)}")
    for program, defines, model, places in NOT_LATE:
        if arguments.only not in program:
            continue
        lines = (EXAMPLES / program).read_text().splitlines()
        given = []
        for function, text, how in places:
            given += ["--linearization-point", f"{function}:{next(i for i, line in enumerate(lines, 1) if text in line)}:{how}"]
        ran, data = run(arguments.binary, program, defines, LOCK + ["try_acquire,release", *given], model)
        wrong = problem(ran, data, HOLDS)
        if wrong is None and LATE_POINT in ran.stdout + ran.stderr:
            wrong = f"says that a point {LATE_POINT}\n{ran.stderr}"
        count(wrong, f"not late {program} {' '.join(defines)} {model}")
    for program, defines, asked, model, code, expected in INFERRED:
        if arguments.only not in program:
            continue
        ran, data = run(arguments.binary, program, defines, asked + ["--linearization-point", "infer"], model)
        wrong = problem(ran, data, code) or points_problem(ran, data, program, expected)
        if wrong is None and not isinstance(expected, str):
            # What was found is what the check accepts.
            given = [word for one in data["linearization_points"]["points"] for word in ("--linearization-point", one["option"])]
            wrong = problem(*run(arguments.binary, program, defines, asked + given, model), HOLDS)
        count(wrong, f"infer {program} {' '.join(defines)} {' '.join(asked)} {model}")
    for program, defines, asked, model, expected in FENCES:
        if arguments.only not in program:
            continue
        ran, data = run(arguments.binary, program, defines, asked + ["--suggest-fences"], model)
        wrong = fence_problem(ran, data, program, expected)
        if wrong is None:
            passed += 1
        else:
            failed += 1
            print(f"FAILED fences {program} {' '.join(defines)} {' '.join(asked)} {model}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
