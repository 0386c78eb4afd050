"""Tests that the JSON printed by commands has exactly the keys in docs/json.md."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from builders import MACHINE, equation, failure, jaxpr, tree
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.facts import Device
from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.reporting.recorded import read_headline
from jaxtutor.core.reporting.reports import (
    check_report,
    devices_report,
    diagnosis_report,
    error_report,
    script_report,
)
from json_page import PAGE, broken_promises, expand, is_of, promised, walk

FOUND = Diagnosis(
    error_class="TracerBoolConversionError",
    message="Attempted boolean conversion",
    cause="traced-bool-in-if",
    file="/home/mine.py",
    span=Span(3, 7, 3, 12),
    expression="x > 0",
    summary="`x > 0` is traced.",
    advice="Use jnp.where.",
    origin=(
        Step("x", "float32[3]", "/home/mine.py", Span(1, 6, 1, 7)),
        Step("x > 0", "bool[3]"),
    ),
    raised_at=failure().frames[0],
    raised_expression="if x > 0",
    fix=Fix("-a\n+b\n", True),
)
FINDING = replace(FOUND, error_class=None, cause=None, span=None, raised_at=None, fix=None)
VERDICT = Verdict(
    status="raised",
    lesson="double",
    headline="TracerBoolConversionError was raised",
    checks=(CheckResult("import", "The file runs.", "passed", 0.12345678, ""),),
    seconds=0.12345678,
    device="cpu:0",
    jax_version="0.12.0",
    cases=(
        CaseResult("x=1.0", tree(2.0), tree(3.0), False, True),
        CaseResult("x=2.0", None, None, False, True),
    ),
    jaxpr=jaxpr(1, 1, equation("sin", 1, 0)),
    diagnosis=FOUND,
    findings=(FINDING,),
    stdout="hello\x1b[31m\n",
)


def test_a_verdict_keeps_its_promises() -> None:
    """The keys of a `check` report and their types are those on the page."""
    assert broken_promises(check_report(VERDICT, "/home/mine.py"), "check") == []


def test_a_verdict_on_nothing_keeps_them_too() -> None:
    """Without a jaxpr and a diagnosis, their keys are null."""
    bare = replace(VERDICT, jaxpr=None, diagnosis=None, findings=(), cases=(), checks=())
    report = check_report(bare, "mine.py")

    assert broken_promises(report, "check") == []
    assert (None, None, []) == (report["jaxpr"], report["diagnosis"], report["findings"])


@pytest.mark.parametrize("diagnosis", [FOUND, FINDING])
def test_a_diagnosis_keeps_its_promises(diagnosis: Diagnosis) -> None:
    """A diagnosis with a known or an unknown cause has the keys on the page."""
    assert broken_promises(diagnosis_report(diagnosis), "diagnosis", whole=False) == []


def test_a_scripts_diagnosis_keeps_its_promises() -> None:
    """A `diagnose` report has the keys on the page."""
    report = script_report(
        file="a.py",
        status="raised",
        device="cpu:0",
        jax_version="0.12.0",
        seconds=1.0,
        diagnosis=FOUND,
        findings=(FINDING,),
        stdout="",
    )

    assert broken_promises(report, "diagnose") == []


def test_devices_and_errors_keep_their_promises() -> None:
    """The reports of devices and errors have the keys on the page."""
    machine = replace(MACHINE, devices=(Device("cpu:0", "cpu", True),))

    assert broken_promises(devices_report(machine), "devices") == []
    assert broken_promises(error_report("No.", "Do this.", 2), "error") == []


def test_values_are_what_the_verdict_holds() -> None:
    """A report has the locations, texts and rounded times of its verdict."""
    report = check_report(VERDICT, "/home/mine.py")

    assert (1, 0.1235, "2.0 float32[]", None) == (
        report["schema"],
        report["seconds"],
        report["cases"][0]["expected"],
        report["cases"][1]["actual"],
    )
    assert (3, 7, 3, 12) == tuple(
        report["diagnosis"][key] for key in ("line", "column", "end_line", "end_column")
    )
    assert [1, None] == [step["line"] for step in report["diagnosis"]["origin"]]
    assert {"file": "lesson.py", "line": 3, "expression": "if x > 0"} == report["diagnosis"][
        "raised_at"
    ]


@pytest.mark.parametrize("value", [tree(float("nan")), tree(float("inf")), Tree("None", ())])
def test_a_report_is_strict_json(value: Tree) -> None:
    """NaN and infinity are reported as strings, so that every reader can parse them."""
    odd = replace(VERDICT, cases=(CaseResult("x", value, value, True, True),))
    text = json.dumps(check_report(odd, "mine.py"), allow_nan=False)

    assert check_report(odd, "mine.py") == json.loads(text)


# ---------------------------------------------------------------- the page


def test_a_key_that_is_not_on_the_page_is_found() -> None:
    """A key that is not on the page is detected."""
    assert ["extra is not on the page"] == broken_promises(
        {**error_report("a", "b", 2), "extra": 1}, "error"
    )


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"device": 3}, "device is 3, not text"),
        ({"seconds": True}, "seconds is True, not number"),
        ({"jaxpr": 1}, "jaxpr is 1, not text or null"),
        ({"file": None}, "file is None, not text"),
    ],
)
def test_a_value_of_another_type_is_found(changed: dict[str, Any], problem: str) -> None:
    """A null or a boolean that the page does not allow is detected."""
    assert [problem] == broken_promises({**check_report(VERDICT, "mine.py"), **changed}, "check")


def test_a_key_that_is_missing_is_found() -> None:
    """A missing key is detected at any depth."""
    report = check_report(VERDICT, "mine.py")
    del report["status"], report["diagnosis"]["advice"]

    assert ["status is missing", "diagnosis.advice is missing"] == broken_promises(report, "check")


def test_the_page_can_be_read() -> None:
    """The page lists the keys of each section, with a list's keys below the list."""
    sections = [line[3:] for line in PAGE.read_text().splitlines() if line.startswith("## ")]

    for section in sections:
        keys = promised(section)
        assert keys, section
        assert all(name.rpartition("[].")[0] in ("", *keys) for name in keys), section
    assert "findings[].origin[].aval" in expand(promised("check"))


def test_keys_are_found_at_any_depth() -> None:
    """Keys are found in objects inside lists and objects."""
    assert [("a", [{"b": {"c": 1}}]), ("a[].b", {"c": 1}), ("a[].b.c", 1)] == list(
        walk({"a": [{"b": {"c": 1}}]})
    )


def test_types_are_read_as_they_are_written() -> None:
    """The types on the page are parsed, including lists and optional values."""
    assert is_of([], "list of text")
    assert is_of(None, "text or null")
    assert not is_of(None, "text")
    assert not is_of(1, "boolean")


def test_the_headline_of_a_report() -> None:
    """The headline of a stored verdict is read back, and nothing from other text."""
    report = json.dumps(check_report(VERDICT, "mine.py"))

    assert (VERDICT.headline, "", "") == (
        read_headline(report),
        read_headline("{}"),
        read_headline("torn"),
    )
