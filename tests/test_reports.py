"""Tests that outputs have the keys of their schemas, and docs/json.md those of the schemas."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from builders import MACHINE, equation, failure, jaxpr, tree
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.facts import Device
from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.positions import Span
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.reporting.outputs.output import to_json, write_json
from jaxtutor.core.reporting.outputs.schemas import OUTPUTS, make_schema, title_of
from jaxtutor.core.reporting.recorded import read_headline
from jaxtutor.core.reporting.reports import check_report, diagnosis_report, script_report
from jaxtutor.core.reporting.system_reports import devices_report, error_report
from json_page import PAGE, broken_promises, described, promised

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
    assert broken_promises(to_json(check_report(VERDICT, "/home/mine.py")), "check") == []


def test_a_verdict_on_nothing_keeps_them_too() -> None:
    """Without a jaxpr and a diagnosis, their keys are null."""
    bare = replace(VERDICT, jaxpr=None, diagnosis=None, findings=(), cases=(), checks=())
    report = to_json(check_report(bare, "mine.py"))

    assert broken_promises(report, "check") == []
    assert (None, None, ()) == (report["jaxpr"], report["diagnosis"], report["findings"])


@pytest.mark.parametrize("diagnosis", [FOUND, FINDING])
def test_a_diagnosis_keeps_its_promises(diagnosis: Diagnosis) -> None:
    """A diagnosis with a known or an unknown cause has the keys on the page."""
    assert broken_promises(to_json(diagnosis_report(diagnosis)), "diagnosis") == []


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

    assert broken_promises(to_json(report), "diagnose") == []


def test_devices_and_errors_keep_their_promises() -> None:
    """The reports of devices and errors have the keys on the page."""
    machine = replace(MACHINE, devices=(Device("cpu:0", "cpu", True),))

    assert broken_promises(to_json(devices_report(machine)), "devices") == []
    assert broken_promises(to_json(error_report("No.", "Do this.", 2)), "error") == []


def test_values_are_what_the_verdict_holds() -> None:
    """A report has the locations, texts and rounded times of its verdict."""
    report = to_json(check_report(VERDICT, "/home/mine.py"))

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
    report = to_json(check_report(odd, "mine.py"))

    assert broken_promises(json.loads(json.dumps(report, allow_nan=False)), "check") == []


# ---------------------------------------------------------------- the page and the schemas


@pytest.mark.parametrize("name", [*OUTPUTS, "diagnosis"])
def test_the_page_has_the_keys_of_the_schema(name: str) -> None:
    """Each schema has a section, whose table has all keys of the schema and no others."""
    assert described(name) == promised(name)


def test_each_section_has_a_schema() -> None:
    """The headings of the page are the names of the schemas, and `diagnosis` is part of others."""
    sections = re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)

    assert {*OUTPUTS, "diagnosis"} == set(sections)


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_schema_names_itself(name: str) -> None:
    """A schema has a stable identifier, says what it describes, and requires every key."""
    schema = make_schema(name)

    assert ("object", f"urn:jaxtutor:output:1:{name}") == (schema["type"], schema["$id"])
    assert schema["title"] == title_of(name) != ""
    assert "--json" in schema["description"]
    parts = [schema, *schema.get("$defs", {}).values()]
    assert all(part.get("description") for part in parts)
    assert all([*part["properties"]] == part["required"] for part in parts)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"device": 3}, "Expected `str`, got `int` - at `$.device`"),
        ({"seconds": True}, "Expected `float`, got `bool` - at `$.seconds`"),
        ({"file": None}, "Expected `str`, got `null` - at `$.file`"),
        ({"status": "fine"}, "Invalid enum value 'fine' - at `$.status`"),
        ({"extra": 1}, "It has keys that its schema does not have."),
    ],
)
def test_a_value_that_a_schema_does_not_allow_is_found(
    changed: dict[str, Any], problem: str
) -> None:
    """A value of another type, and a key that the schema does not have, are detected."""
    report = {**to_json(check_report(VERDICT, "mine.py")), **changed}

    assert [problem] == broken_promises(report, "check")


def test_a_key_that_is_missing_is_found() -> None:
    """A missing key is detected at any depth."""
    report = to_json(check_report(VERDICT, "mine.py"))
    del report["diagnosis"]["advice"]

    assert broken_promises(report, "check") == [
        "Object missing required field `advice` - at `$.diagnosis`"
    ]


def test_the_headline_of_a_report() -> None:
    """The headline of a stored verdict is read back, and nothing from other text."""
    report = write_json(check_report(VERDICT, "mine.py"))

    assert (VERDICT.headline, "", "") == (
        read_headline(report),
        read_headline("{}"),
        read_headline("torn"),
    )


def test_each_output_that_a_test_prints_is_compared_with_its_type() -> None:
    """A struct is not checked when it is made, so what tests print is: here, with a wrong type."""
    wrong: Any = 3

    with pytest.raises(msgspec.ValidationError, match=r"at `\$\.error\.message`"):
        write_json(error_report(wrong, "", 2))
