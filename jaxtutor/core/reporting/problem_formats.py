"""Writes reports in the formats of other tools: editors, pull requests, code scanning.

`short` has one line for each problem, as compilers print it: the quickfix list of vim, emacs'
compile mode and problem matchers of VS Code read it. `github` has GitHub's workflow commands.
`sarif` is SARIF 2.1.0 (OASIS standard, 2020). All are made from the reports that `--json` prints.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.diagnosis.engine.pages import Cause

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~/")
"""The characters of a path that a URI holds as they are (RFC 3986)."""

PASSING = frozenset({"passed", "clean"})


class ReportedProblem(Struct, frozen=True, kw_only=True):
    """One problem at a position. Lines and columns count from 1; `rule` is a cause or empty."""

    file: str
    message: str
    rule: str = ""
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    is_error: bool = True
    remedy: str = ""


def problems(report: Mapping[str, Any], base: str) -> tuple[ReportedProblem, ...]:
    """List the problems in a report of `check`, `diagnose` or `grade`.

    Files below the folder `base` are named relative to it, as GitHub requires.
    """
    if "grades" in report:
        found = [_graded(report["folder"], row) for row in _failing(report["grades"])]
    else:
        found = list(_reported(report))
    folder = base.rstrip("/") + "/"
    return tuple(replace(problem, file=problem.file.removeprefix(folder)) for problem in found)


def _reported(report: Mapping[str, Any]) -> Iterator[ReportedProblem]:
    if "error" in report:
        error = report["error"]
        yield ReportedProblem(file="", message=error["message"], remedy=error["remedy"])
        return
    if report.get("diagnosis") is not None:
        yield _diagnosed(report["diagnosis"], is_error=True)
    elif report["status"] not in PASSING | {"found"}:
        headline = report.get("headline") or report["status"].replace("_", " ")
        yield ReportedProblem(file=report["file"], message=headline)
    found = [*report["findings"], *report.get("beside", ())]
    yield from (_diagnosed(finding, is_error=False) for finding in found)


def _failing(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (row for row in rows if row["status"] not in PASSING)


def _graded(folder: str, row: Mapping[str, Any]) -> ReportedProblem:
    line = row["line"] or 1
    path = f"{folder.rstrip('/')}/{row['file']}" if row["file"] else folder
    rule = row["cause"] or ""
    return ReportedProblem(file=path, message=row["headline"], rule=rule, line=line, end_line=line)


def _diagnosed(found: Mapping[str, Any], is_error: bool) -> ReportedProblem:
    line = found["line"] or 1
    column = (found["column"] or 0) + 1
    message, rule = found["summary"] or found["message"], found["cause"] or ""
    if found["cell"] is not None:  # its lines are not those of the notebook's file
        return ReportedProblem(
            file=found["file"],
            message=f"Cell {found['cell']}, line {line}: {message}",
            rule=rule,
            is_error=is_error,
            remedy=found["advice"],
        )
    return ReportedProblem(
        file=found["file"],
        message=message,
        rule=rule,
        line=line,
        column=column,
        end_line=found["end_line"] or line,
        end_column=(found["end_column"] if found["end_column"] is not None else column) + 1,
        is_error=is_error,
        remedy=found["advice"],
    )


# ---------------------------------------------------------------- the formats


def as_short(report: Mapping[str, Any], base: str) -> str:
    """Return one line for each problem: `file:line:column: error: message [cause]`.

    A finding in a program that ran is a warning.
    """
    return "".join(f"{_short(problem)}\n" for problem in problems(report, base))


def _short(problem: ReportedProblem) -> str:
    place = f"{problem.file}:{problem.line}:{problem.column}" if problem.file else "jaxtutor"
    kind = "error" if problem.is_error else "warning"
    rule = f" [{problem.rule}]" if problem.rule else ""
    return f"{_one_line(place)}: {kind}: {_one_line(problem.message)}{rule}"


def _one_line(text: str) -> str:
    return visible(" ".join(text.splitlines()))


def as_github(report: Mapping[str, Any], base: str) -> str:
    """Return a workflow command for each problem, which GitHub shows as an annotation."""
    return "".join(f"{_command(problem)}\n" for problem in problems(report, base))


def _command(problem: ReportedProblem) -> str:
    facts: dict[str, object] = {}
    if problem.file:
        facts = {"file": problem.file, "line": problem.line, "endLine": problem.end_line}
        # GitHub refuses columns for a range of several lines.
        if problem.line == problem.end_line:
            facts |= {"col": problem.column, "endColumn": problem.end_column}
    facts["title"] = problem.rule or "jaxtutor"
    text = "\n".join(filter(None, (problem.message, problem.remedy)))
    listed = ",".join(f"{name}={_property(str(value))}" for name, value in facts.items())
    return f"::{'error' if problem.is_error else 'warning'} {listed}::{_data(text)}"


def _data(text: str) -> str:
    """Escape the message of a workflow command."""
    return visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape the value of a property of a workflow command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def as_sarif(
    report: Mapping[str, Any], base: str, version: str, causes: Mapping[str, Cause]
) -> str:
    """Return a SARIF log with one run. `version` is jaxtutor's."""
    found = problems(report, base)
    rules = list(dict.fromkeys(problem.rule for problem in found if problem.rule))
    described = [_rule(rule, causes.get(rule)) for rule in rules]
    driver = {"name": "jaxtutor", "version": version, "rules": described}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(problem, rules) for problem in found],
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(name: str, cause: Cause | None) -> dict[str, Any]:
    """Return what code scanning shows about a cause."""
    rule: dict[str, Any] = {"id": name}
    if cause is not None:
        rule["shortDescription"] = {"text": cause.title}
        rule["help"] = {"text": f"The page of this cause: jaxtutor explain {name}"}
    return rule


def _result(problem: ReportedProblem, rules: Sequence[str]) -> dict[str, Any]:
    text = "\n\n".join(filter(None, (problem.message, problem.remedy)))
    result: dict[str, Any] = {
        "level": "error" if problem.is_error else "warning",
        "message": {"text": visible(text)},
    }
    if problem.rule:
        result |= {"ruleId": problem.rule, "ruleIndex": rules.index(problem.rule)}
    if problem.file:
        result["locations"] = [{"physicalLocation": _location(problem)}]
    return result


def _location(problem: ReportedProblem) -> dict[str, Any]:
    region = {
        "startLine": problem.line,
        "startColumn": problem.column,
        "endLine": problem.end_line,
        "endColumn": problem.end_column,
    }
    return {"artifactLocation": {"uri": _uri(problem.file)}, "region": region}


def _uri(file: str) -> str:
    """Return an absolute path as a `file:` URI, and a relative one as a relative reference."""
    data = file.encode("utf-8", "surrogateescape")
    path = "".join(chr(byte) if chr(byte) in UNRESERVED else f"%{byte:02X}" for byte in data)
    return f"file://{path}" if path.startswith("/") else path
