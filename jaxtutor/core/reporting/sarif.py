"""Writes problems as SARIF 2.1.0 (OASIS standard, 2020), for code scanning."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping, Sequence
from typing import Any

from jaxtutor.core.addresses import page_address
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.diagnosis.engine.pages import Cause, fill
from jaxtutor.core.reporting.problems import Region, ReportedProblem, fingerprints

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNRESERVED = frozenset(string.ascii_letters + string.digits + "-._~/")
"""The characters of a path that a URI holds as they are (RFC 3986)."""
FINGERPRINT = "jaxtutor/v1"
"""Names how the fingerprints are computed."""


def write(found: Sequence[ReportedProblem], version: str, causes: Mapping[str, Cause]) -> str:
    """Return a log with one run. `version` is jaxtutor's."""
    rules = list(dict.fromkeys(problem.rule for problem in found if problem.rule))
    described = [_rule(rule, causes.get(rule)) for rule in rules]
    driver = {"name": "jaxtutor", "version": version, "rules": described}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(problem, name, rules)
            for problem, name in zip(found, fingerprints(found), strict=True)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(name: str, cause: Cause | None) -> dict[str, Any]:
    """Return what code scanning shows about a cause."""
    rule: dict[str, Any] = {"id": name}
    if cause is not None:
        rule |= {
            "name": "".join(map(str.capitalize, name.split("-"))),
            "shortDescription": {"text": cause.title},
            "fullDescription": {"text": fill(cause.summary, {})},
            "help": {"text": f"The page of this cause: jaxtutor explain {name}"},
            "defaultConfiguration": {"level": "error" if cause.raises else "warning"},
            "properties": {"tags": ["jax", "performance" if cause.costs else "correctness"]},
        }
        if address := page_address(name):
            rule["helpUri"] = address
    return rule


def _result(problem: ReportedProblem, fingerprint: str, rules: Sequence[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "level": problem.level,
        "message": {"text": visible("\n\n".join(problem.words))},
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if problem.rule:
        result |= {"ruleId": problem.rule, "ruleIndex": rules.index(problem.rule)}
    if problem.file:
        file = {"uri": _uri(problem.file)}
        place = {"artifactLocation": file, "region": _region(problem.region)}
        result["locations"] = [{"physicalLocation": place}]
    if problem.edits:
        result["fixes"] = [_fix(problem)]
    return result


def _fix(problem: ReportedProblem) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.region), "insertedContent": {"text": edit.text}}
        for edit in problem.edits
    ]
    file = {"uri": _uri(problem.file)}
    text = problem.remedy or problem.message
    changes = [{"artifactLocation": file, "replacements": replacements}]
    return {"description": {"text": visible(text)}, "artifactChanges": changes}


def _region(region: Region) -> dict[str, int]:
    return {
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }


def _uri(file: str) -> str:
    """Return an absolute path as a `file:` URI, and a relative one as a relative reference."""
    data = file.encode("utf-8", "surrogateescape")
    path = "".join(chr(byte) if chr(byte) in UNRESERVED else f"%{byte:02X}" for byte in data)
    return f"file://{path}" if path.startswith("/") else path
