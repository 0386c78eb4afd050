"""Writes problems in the formats of other tools: editors, pull requests, code scanning.

`short` has one line for each problem, as compilers print it: the quickfix list of vim, emacs'
compile mode and problem matchers of VS Code read it. `github` has GitHub's workflow commands,
`gitlab` GitLab's code quality report, `junit` JUnit XML, `rdjson` reviewdog's diagnostics, and
`sarif` SARIF 2.1.0.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from msgspec import Struct

from jaxtutor.core.addresses import page_address
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.data.xml_texts import xml_text
from jaxtutor.core.diagnosis.engine.pages import Cause
from jaxtutor.core.reporting import sarif
from jaxtutor.core.reporting.problems import (
    Region,
    ReportedProblem,
    Texts,
    fingerprints,
    problems,
    relative_to,
)

Problems = Sequence[ReportedProblem]


class FormatContext(Struct, frozen=True):
    """What the formats say beside the problems: jaxtutor's version, the causes, and the sources.

    Files are named relative to the folder `base`.
    """

    base: str
    version: str = ""
    causes: Mapping[str, Cause] = {}
    texts: Texts = {}


def write(name: str, report: Mapping[str, Any], context: FormatContext) -> str:
    """Write the problems of a report, which `--json` prints, in the format of a name."""
    return FORMATS[name](problems(report, context.base, context.texts), context)


# ---------------------------------------------------------------- lines


def as_short(found: Problems, _: FormatContext) -> str:
    """Return one line for each problem: `file:line:column: error: message [cause]`."""
    return "".join(f"{_short(problem)}\n" for problem in found)


def _short(problem: ReportedProblem) -> str:
    region = problem.region
    place = f"{problem.file}:{region.line}:{region.column}" if problem.file else "jaxtutor"
    rule = f" [{problem.rule}]" if problem.rule else ""
    return f"{_one_line(place)}: {problem.level}: {_one_line(problem.message)}{rule}"


def _one_line(text: str) -> str:
    return visible(" ".join(text.splitlines()))


def as_github(found: Problems, _: FormatContext) -> str:
    """Return a workflow command for each problem, which GitHub shows as an annotation."""
    return "".join(f"{_command(problem)}\n" for problem in found)


def _command(problem: ReportedProblem) -> str:
    facts: dict[str, object] = {}
    region = problem.region
    if problem.file:
        facts = {"file": problem.file, "line": region.line, "endLine": region.end_line}
        # GitHub refuses columns for a range of several lines.
        if region.line == region.end_line:
            facts |= {"col": region.column, "endColumn": region.end_column}
    facts["title"] = problem.rule or "jaxtutor"
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in facts.items())
    command = "notice" if problem.level == "note" else problem.level
    return f"::{command} {listed}::{_data(chr(10).join(problem.words))}"


def _data(text: str) -> str:
    """Escape the message of a workflow command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape the value of a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# ---------------------------------------------------------------- JSON and XML

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def as_gitlab(found: Problems, _: FormatContext) -> str:
    """Return a report of GitLab's code quality."""
    listed = [
        {
            "check_name": problem.rule or "jaxtutor",
            "description": _one_line(problem.message),
            "fingerprint": name,
            "severity": _SEVERITIES[problem.level],
            "location": {
                "path": problem.file,
                "lines": {"begin": problem.region.line, "end": problem.region.end_line},
            },
        }
        for problem, name in zip(found, fingerprints(found), strict=True)
    ]
    return json.dumps(listed) + "\n"


def as_junit(found: Problems, _: FormatContext) -> str:
    """Return JUnit XML: a suite for each file, and a case for each problem in it."""
    by_file = defaultdict[str, list[ReportedProblem]](list)
    for problem in found:
        by_file[problem.file].append(problem)
    suites = ElementTree.Element("testsuites", name="jaxtutor")
    for file, here in by_file.items():
        notes = sum(problem.level == "note" for problem in here)
        suite = ElementTree.SubElement(
            suites,
            "testsuite",
            name=xml_text(file or "jaxtutor"),
            tests=str(len(here)),
            failures=str(len(here) - notes),
            errors="0",
            skipped=str(notes),
        )
        suite.extend(map(_case, here))
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _case(problem: ReportedProblem) -> ElementTree.Element:
    line = str(problem.region.line)
    name = f"{problem.rule or 'jaxtutor'} in line {line}"
    case = ElementTree.Element("testcase", classname="jaxtutor", name=name, line=line)
    if problem.file:
        case.set("file", xml_text(problem.file))
    outcome = "skipped" if problem.level == "note" else "failure"
    said = ElementTree.SubElement(case, outcome, message=xml_text(_one_line(problem.message)))
    said.text = xml_text("\n\n".join(problem.words))
    return case


def as_rdjson(found: Problems, context: FormatContext) -> str:
    """Return diagnostics for reviewdog.

    It counts columns in bytes, so they are left out where the text of the file is not known.
    """
    texts = {relative_to(file, context.base): text for file, text in context.texts.items()}
    lines = {problem.file: split_lines(texts.get(problem.file, "")) for problem in found}
    listed = [_diagnostic(problem, lines[problem.file]) for problem in found]
    return json.dumps({"source": {"name": "jaxtutor"}, "diagnostics": listed}) + "\n"


def _diagnostic(problem: ReportedProblem, lines: Sequence[str]) -> dict[str, Any]:
    level = {"note": "INFO"}.get(problem.level, problem.level.upper())
    diagnostic: dict[str, Any] = {
        "message": visible("\n\n".join(problem.words)),
        "severity": level,
        "location": {"path": problem.file, "range": _byte_range(problem.region, lines)},
    }
    if problem.rule:
        code = {"value": problem.rule}
        if address := page_address(problem.rule):
            code["url"] = address
        diagnostic["code"] = code
    if lines and problem.edits:
        diagnostic["suggestions"] = [
            {"range": _byte_range(edit.region, lines), "text": edit.text} for edit in problem.edits
        ]
    return diagnostic


def _byte_range(region: Region, lines: Sequence[str]) -> dict[str, Any]:
    def position(line: int, column: int) -> dict[str, int]:
        if not lines:
            return {"line": line}
        text = lines[line - 1] if line <= len(lines) else ""
        return {"line": line, "column": len(text[: column - 1].encode("utf-8", "replace")) + 1}

    return {
        "start": position(region.line, region.column),
        "end": position(region.end_line, region.end_column),
    }


def as_sarif(found: Problems, context: FormatContext) -> str:
    """Return a SARIF log."""
    return sarif.write(found, context.version, context.causes)


FORMATS: Mapping[str, Callable[[Problems, FormatContext], str]] = {
    "short": as_short,
    "github": as_github,
    "gitlab": as_gitlab,
    "junit": as_junit,
    "sarif": as_sarif,
    "rdjson": as_rdjson,
}
