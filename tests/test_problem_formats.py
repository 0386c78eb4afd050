"""Tests the formats for other tools: lines, workflow commands and SARIF."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.reporting.problem_formats import as_github, as_sarif, as_short

DIAGNOSIS: dict[str, Any] = {
    "message": "raised",
    "cause": "traced-bool-in-if",
    "file": "/work it/src/a b.py",
    "line": 7,
    "column": 4,
    "end_line": 7,
    "end_column": 15,
    "summary": "`x > 0` is traced:\n100 % sure.",
    "advice": "Use `jnp.where`, please.",
    "cell": None,
}
FINDING = {**DIAGNOSIS, "cause": "prng-key-reuse", "line": 9, "end_line": 11}
REPORT = {"file": "/work it/src/a b.py", "status": "raised", "diagnosis": DIAGNOSIS, "findings": []}
FOUND = {**REPORT, "status": "found", "diagnosis": None, "findings": [FINDING]}
CELL = {**DIAGNOSIS, "file": "/work it/a.ipynb", "cell": 4, "summary": "Not known."}
IN_CELL = {**REPORT, "diagnosis": CELL}
CLEAN = {**FOUND, "status": "clean", "findings": []}
FAILED = {**CLEAN, "status": "failed", "headline": "Wrong answer"}
ERROR = {"error": {"message": "There is no lesson 'x'.", "remedy": "See: jaxtutor list"}}
ROW = {"file": "ada/01_clip.py", "status": "failed", "headline": "Wrong answer", "cause": None}
GRADES = {
    "folder": "/work it/papers/",
    "grades": [{**ROW, "line": None}, {**ROW, "status": "passed", "line": None}],
}
BASE = "/work it"


@pytest.mark.parametrize(
    ("report", "line"),
    [
        (
            REPORT,
            "src/a b.py:7:5: error: `x > 0` is traced: 100 % sure. [traced-bool-in-if]\n",
        ),
        (
            FOUND,
            "src/a b.py:9:5: warning: `x > 0` is traced: 100 % sure. [prng-key-reuse]\n",
        ),
        (
            IN_CELL,
            "a.ipynb:1:1: error: Cell 4, line 7: Not known. [traced-bool-in-if]\n",
        ),
        (CLEAN, ""),
        (FAILED, "src/a b.py:1:1: error: Wrong answer\n"),
        (ERROR, "jaxtutor: error: There is no lesson 'x'.\n"),
        (GRADES, "papers/ada/01_clip.py:1:1: error: Wrong answer\n"),
    ],
)
def test_one_line_for_each_problem(report: dict[str, Any], line: str) -> None:
    """Errors and warnings take one line each, with the column counted from 1."""
    assert line == as_short(report, BASE)


def test_control_characters_never_reach_the_terminal() -> None:
    """An escape sequence in a message or a name is shown, not sent."""
    evil = {**REPORT, "diagnosis": {**DIAGNOSIS, "summary": "\x1b[2J", "file": "a\nb.py"}}
    text = as_short(evil, BASE)
    assert text.startswith("a b.py:7:5: error: ")
    assert text.count("\n") == 1
    assert "\x1b" not in text


def test_workflow_commands_are_escaped() -> None:
    """A message of two lines is one command; percent signs, colons and commas are escaped."""
    named = {**REPORT, "diagnosis": {**DIAGNOSIS, "file": "/work it/a,b:c.py"}}
    assert (
        "::error file=a%2Cb%3Ac.py,line=7,endLine=7,col=5,endColumn=16,title=traced-bool-in-if"
        "::`x > 0` is traced:%0A100 %25 sure.%0AUse `jnp.where`, please.\n"
    ) == as_github(named, BASE)


def test_a_range_of_lines_has_no_columns() -> None:
    """GitHub refuses columns where a problem spans several lines."""
    assert "line=9,endLine=11,title" in as_github(FOUND, BASE)


def test_sarif_has_a_result_for_each_problem() -> None:
    """A log names the tool, each rule once, and each result's level, message and region."""
    twice = {**FOUND, "diagnosis": DIAGNOSIS, "findings": [FINDING, FINDING]}
    log = json.loads(as_sarif(twice, BASE, "1.2", Library()))
    assert "2.1.0" == log["version"]
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert ("jaxtutor", "1.2") == (driver["name"], driver["version"])
    assert ["traced-bool-in-if", "prng-key-reuse"] == [rule["id"] for rule in driver["rules"]]
    titles = [rule["shortDescription"]["text"] for rule in driver["rules"]]
    assert "An `if` on a traced condition" == titles[0]
    assert ["error", "warning", "warning"] == [result["level"] for result in run["results"]]
    assert [0, 1, 1] == [result["ruleIndex"] for result in run["results"]]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert "src/a%20b.py" == place["artifactLocation"]["uri"]
    assert {"startLine": 7, "startColumn": 5, "endLine": 7, "endColumn": 16} == place["region"]


def test_sarif_without_problems_is_a_log_too() -> None:
    """A clean run has an empty list of results, which closes earlier alerts."""
    assert [] == json.loads(as_sarif(CLEAN, BASE, "1.2", Library()))["runs"][0]["results"]
