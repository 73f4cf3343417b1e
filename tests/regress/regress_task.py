# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads the expectations of a regression test: an SV-COMP task file with a `heddle:` block. docs/testing.md has the fields."""
import dataclasses
import pathlib

import yaml

# Stronger models first: what a model shows, each later one shows as well.
MODELS = ["sc", "tso", "pso"]
VIOLATION_EXIT = {"reach": 10, "race": 11, "deadlock": 12, "memory": 13, "cleanup": 13, "overflow": 14, "liveness": 15, "robustness": 17}
PROPERTY_OF_FILE = {"unreach-call.prp": "reach", "no-data-race.prp": "race", "valid-memsafety.prp": "memory",
                    "no-overflow.prp": "overflow"}
# What may stand for a model, and the verdict and exit code it means (a violation's code depends on the property).
EXPECTATIONS = {True: ("proved", 0), "bounded": ("holds_within_bounds", 1), False: ("violated", None),
                "unknown": ("unknown", 30), "refused": ("refused", 3)}
TESTERS = ["verdict", "replay", "agree", "axiomatic", "axioms", "monotone", "twice", "self", "outcomes", "task"]
# The switches that may not change a verdict, by the name used under `skip`.
VARIANTS = {"no-reduction": ["--no-reduction"], "alias-none": ["--alias", "none"], "no-symmetry": ["--no-symmetry"],
            "no-merge": ["--no-merge"], "search-dfs": ["--search", "dfs"]}
SECONDS = {0: 10, 1: 20, 2: 90, 3: 900}
FIELDS = {"property", "models", "why", "level", "flags", "cflags", "final_states", "expect_text", "exit_code", "skip", "checks",
          "engines", "note"}
REASONS = ("soundness", "precision", "known-gap")


class BadTask(Exception):
    """The file does not say what is expected."""


@dataclasses.dataclass
class Check:
    """One property of one task, with what is expected under each model."""

    task: str  # path relative to the root of the tests, for names
    file: pathlib.Path
    inputs: list
    property: str | None
    models: dict
    final_states: dict
    expect_text: dict  # model -> list of texts
    exit_codes: dict
    flags: list
    cflags: list
    skip: dict
    level: int
    sv_comp: bool  # the task file alone asks the same question under SC

    @property
    def seconds(self):
        return SECONDS[self.level]

    def expected_exit(self, model):
        if model in self.exit_codes:
            return self.exit_codes[model]
        verdict, code = EXPECTATIONS[self.models[model]]
        return VIOLATION_EXIT.get(self.property) if verdict == "violated" else code


def need(condition, text):
    if not condition:
        raise BadTask(text)


def as_list(value):
    return value if isinstance(value, list) else [value]


def per_model(value, models):
    """A map from model to value; a plain value holds for every model."""
    if value is None:
        return {}
    return dict(value) if isinstance(value, dict) else {model: value for model in models}


def property_of(entry):
    return PROPERTY_OF_FILE.get(pathlib.PurePosixPath(str(entry.get("property_file", ""))).name)


def read_check(block, inherited, data, task, file, inputs, sv_comp_properties):
    block = {**inherited, **block}
    unknown = set(block) - FIELDS
    need(not unknown, f"unknown field of the heddle block: {', '.join(sorted(unknown))}")
    models = block.get("models") or {}
    states = block.get("final_states") or {}
    need(isinstance(models, dict) and isinstance(states, dict), "`models` and `final_states` map a model to a value")
    need(models or states, "no expectation: the heddle block needs `models` or `final_states`")
    for model, value in models.items():
        need(isinstance(value, (bool, str)) and value in EXPECTATIONS,
             f"models.{model}: expected true, false, bounded, unknown or refused, got {value!r}")
    for model, value in states.items():
        need(isinstance(value, (int, list)) and not isinstance(value, bool),
             f"final_states.{model}: expected a number or a list of states, got {value!r}")
    reasons = per_model(block.get("why"), list(models) + list(states))
    need(reasons, "no `why`: say soundness, precision or known-gap, and what the program shows")
    for model, reason in reasons.items():
        need(model in models or model in states, f"why.{model}: there is no expectation for this model")
        need(str(reason).startswith(REASONS), f"why.{model}: must begin with soundness, precision or known-gap")
    if "known-gap" not in str(block.get("why")):
        gaps = [model for model, value in models.items() if value == "unknown" and model not in reasons]
        need(not gaps, "an unknown verdict needs its own reason under `why`")
    prop = block.get("property")
    if prop is None and len(sv_comp_properties) == 1:
        prop = next(iter(sv_comp_properties))
    need(prop is not None or not models, "no property: give `property` or one known property_file")
    level = block.get("level", 0)
    need(level in SECONDS, f"level: expected 0, 1, 2 or 3, got {level!r}")
    expected = sv_comp_properties.get(prop)
    if expected is not None and "sc" in models and isinstance(models["sc"], bool):
        need(expected == models["sc"], f"expected_verdict says {expected}, models.sc says {models['sc']}")
    skip = block.get("skip") or {}
    for name, reason in skip.items():
        need(name in TESTERS or name in VARIANTS, f"skip.{name}: no such tester or variant")
        need(isinstance(reason, str) and reason, f"skip.{name}: needs a reason")
    data_model = (data.get("options") or {}).get("data_model")
    flags = [str(flag) for flag in as_list(block.get("flags") or [])]
    texts = per_model(block.get("expect_text"), models)
    return Check(task=task, file=file, inputs=inputs, property=prop, models=models, final_states=states,
                 expect_text={model: [str(t) for t in as_list(text)] for model, text in texts.items()},
                 exit_codes=per_model(block.get("exit_code"), models), flags=flags +
                 (["--data-model", data_model] if data_model else []),
                 cflags=[str(flag) for flag in as_list(block.get("cflags") or [])],
                 skip=skip, level=level, sv_comp=expected is not None and not flags)


def read_task(file, root):
    """The checks of one file. Raises BadTask when it states no expectation."""
    try:
        data = yaml.safe_load(file.read_text())
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadTask(f"not readable as YAML: {error}") from error
    need(isinstance(data, dict), "not a task file: expected a map at the top")
    need(data.get("input_files"), "no input_files")
    inputs = [file.parent / name for name in as_list(data["input_files"])]
    for path in inputs:
        need(path.is_file(), f"input file {path.name} does not exist")
    block = data.get("heddle")
    need(isinstance(block, dict), "no expectation: there is no heddle block")
    properties = {property_of(entry): entry.get("expected_verdict") for entry in data.get("properties") or []
                  if property_of(entry)}
    task = file.relative_to(root).with_suffix("").as_posix()
    if "checks" not in block:
        return [read_check(block, {}, data, task, file, inputs, properties)]
    inherited = {name: value for name, value in block.items() if name != "checks"}
    need(isinstance(block["checks"], list) and block["checks"], "`checks` is a list of at least one block")
    return [read_check(check, inherited, data, task, file, inputs, properties) for check in block["checks"]]


def unclaimed_inputs(root, claimed):
    """Programs below `root` that no task file names: a test that cannot fail."""
    # Files below a folder named `include` belong to the programs beside it.
    programs = [p for suffix in ("*.c", "*.i", "*.ll", "*.bc", "*.hir") for p in root.rglob(suffix)]
    return sorted(p for p in programs if p.resolve() not in claimed and "include" not in p.parent.parts)
