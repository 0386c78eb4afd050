"""Writes JUnit XML for continuous integration: a suite per submission, a test case per check."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from jaxtutor.core.data.verdicts import CheckResult
from jaxtutor.core.data.xml_texts import xml_text
from jaxtutor.core.grading.grades import Grade

_NOT_CHECKED = ("lesson_at_fault", "unreadable", "not_graded")


def write(grades: Sequence[Grade], confinement: str = "") -> bytes:
    """Return the contents of a JUnit file; `confinement` becomes a property of each suite."""
    suites = ElementTree.Element("testsuites", name="jaxtutor")
    for grade in grades:
        suites.append(suite := _suite(grade))
        said = {
            "confinement": confinement,
            "measured": grade.measured,
            "measured outside": " ".join(grade.measured_outside),
        }
        properties = ElementTree.Element("properties")
        for name, value in said.items():
            if value:
                ElementTree.SubElement(properties, "property", name=name, value=xml_text(value))
        if len(properties):
            suite.insert(0, properties)
    ElementTree.indent(suites)
    return bytes(ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(grade: Grade) -> ElementTree.Element:
    cases = [_case(grade, check) for check in grade.checks]
    if grade.status != "passed" and not any(case.find("failure") is not None for case in cases):
        cases.append(_whole(grade))
    counts = {
        tag: str(sum(case.find(tag) is not None for case in cases))
        for tag in ("failure", "error", "skipped")
    }
    suite = ElementTree.Element(
        "testsuite",
        name=xml_text(" ".join((grade.learner, grade.lesson or grade.file)).strip()),
        tests=str(len(cases)),
        failures=counts["failure"],
        errors=counts["error"],
        skipped=counts["skipped"],
        time=f"{grade.seconds:.4f}",
    )
    suite.extend(cases)
    return suite


def _case(grade: Grade, check: CheckResult) -> ElementTree.Element:
    case = _named(grade, f"{check.name}: {check.says}", check.seconds)
    if check.status == "skipped":
        ElementTree.SubElement(case, "skipped", message="an earlier check failed")
    elif check.status == "failed":
        _add(case, "failure", grade, check.detail or grade.headline)
    return case


def _whole(grade: Grade) -> ElementTree.Element:
    """Create the case of a submission that failed outside any check: a crash or a timeout."""
    case = _named(grade, "verdict", grade.seconds)
    _add(case, "error" if grade.status in _NOT_CHECKED else "failure", grade, grade.headline)
    return case


def _named(grade: Grade, name: str, seconds: float) -> ElementTree.Element:
    return ElementTree.Element(
        "testcase",
        classname=xml_text(f"jaxtutor.{grade.lesson or 'none'}"),
        name=xml_text(name),
        file=xml_text(grade.file),
        time=f"{seconds:.4f}",
    )


def _add(case: ElementTree.Element, tag: str, grade: Grade, message: str) -> None:
    first = message.strip().partition("\n")[0]
    problem = ElementTree.SubElement(
        case, tag, message=xml_text(first), type=grade.cause or grade.status
    )
    where = f"line {grade.line}" if grade.line else ""
    problem.text = xml_text("\n\n".join(filter(None, (message, where, grade.advice))))
