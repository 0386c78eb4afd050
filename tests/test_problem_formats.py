"""Tests the formats for other tools: lines, workflow commands and SARIF."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from jaxtutor.cli.parameters import FORMATS as NAMES
from jaxtutor.content.cause_pages import Library
from jaxtutor.core import addresses
from jaxtutor.core.reporting.problem_formats import FORMATS, FormatContext, write
from jaxtutor.options import Options

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
    "expression": "x > 0",
    "fix": None,
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
EDIT = {"line": 2, "column": 5, "end_line": 2, "end_column": 6, "text": "y"}
LOOK = {**FINDING, "line": 2, "column": 0, "end_line": 2, "fix": {"edits": [EDIT]}}
LINTED = {
    **CLEAN,
    "worth_a_look": [LOOK],
    "comments": [{"file": "/work it/b.py", "line": 3, "says": "", "is_unused": True}],
    "unread": [{"file": "/work it/c.py", "why": "Python cannot parse it."}],
}
TEXT = "import jax\né = (x > 0)\n"
HERE = FormatContext("/work it", "1.2", Library())
KNOWN = FormatContext("/work it", "1.2", Library(), {LOOK["file"]: TEXT})


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
    assert line == write("short", report, HERE)


def test_control_characters_never_reach_the_terminal() -> None:
    """An escape sequence in a message or a name is shown, not sent."""
    evil = {**REPORT, "diagnosis": {**DIAGNOSIS, "summary": "\x1b[2J", "file": "a\nb.py"}}
    text = write("short", evil, HERE)
    assert text.startswith("a b.py:7:5: error: ")
    assert text.count("\n") == 1
    assert "\x1b" not in text


def test_workflow_commands_are_escaped() -> None:
    """A message of two lines is one command; percent signs, colons and commas are escaped."""
    named = {**REPORT, "diagnosis": {**DIAGNOSIS, "file": "/work it/a,b:c.py"}}
    assert (
        "::error file=a%2Cb%3Ac.py,line=7,endLine=7,col=5,endColumn=16,title=traced-bool-in-if"
        "::`x > 0` is traced:%0A100 %25 sure.%0AUse `jnp.where`, please.\n"
    ) == write("github", named, HERE)


def test_a_range_of_lines_has_no_columns() -> None:
    """GitHub refuses columns where a problem spans several lines."""
    assert "line=9,endLine=11,title" in write("github", FOUND, HERE)


def test_sarif_has_a_result_for_each_problem() -> None:
    """A log names the tool, each rule once, and each result's level, message and region."""
    twice = {**FOUND, "diagnosis": DIAGNOSIS, "findings": [FINDING, FINDING]}
    log = json.loads(write("sarif", twice, HERE))
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
    assert [] == json.loads(write("sarif", CLEAN, HERE))["runs"][0]["results"]


def test_fingerprints_stay_when_lines_move() -> None:
    """A finding keeps its fingerprint if its line moves, and equal ones have different ones."""

    def named(text: str, *lines: int) -> list[str]:
        found = [{**FINDING, "line": line, "end_line": line} for line in lines]
        context = FormatContext("/work it", "1.2", Library(), {FINDING["file"]: text})
        log = json.loads(write("sarif", {**FOUND, "findings": found}, context))
        results = log["runs"][0]["results"]
        return [next(iter(result["partialFingerprints"].values())) for result in results]

    first = named("a = x > 0\na = x > 0\n", 1, 2)
    assert first == named("\n\n  a = x > 0\n\n  a = x > 0\n", 3, 5)
    assert 2 == len(set(first))
    assert first[0] != named("b = x > 0\n", 1)[0]


@pytest.mark.parametrize(
    ("site", "address"),
    [("", None), ("https://example.org/x", "https://example.org/x/causes/prng-key-reuse/")],
)
def test_sarif_has_the_edits_and_addresses_that_are_known(
    site: str, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fix lists its replacements; rules have the address of their page if there is a site."""
    monkeypatch.setattr(addresses, "SITE", site)
    (run,) = json.loads(write("sarif", LINTED, HERE))["runs"]
    assert address == run["tool"]["driver"]["rules"][0].get("helpUri")
    (first, *_) = json.loads(write("rdjson", LINTED, HERE))["diagnostics"]
    assert address == first["code"].get("url")
    result = run["results"][0]
    (change,) = result["fixes"][0]["artifactChanges"]
    region = {"startLine": 2, "startColumn": 6, "endLine": 2, "endColumn": 7}
    content = {"text": "y"}
    assert "note" == result["level"]
    assert [{"deletedRegion": region, "insertedContent": content}] == change["replacements"]


def test_what_lint_alone_reports_is_in_each_format() -> None:
    """Notes, comments and files that were not read are problems too."""
    assert [
        "src/a b.py:2:1: note: `x > 0` is traced: 100 % sure. [prng-key-reuse]",
        "b.py:3:1: warning: This comment allows what was not found.",
        "c.py:1:1: error: Not read. Python cannot parse it.",
    ] == write("short", LINTED, HERE).splitlines()
    commands = write("github", LINTED, HERE).splitlines()
    assert ["::notice", "::warning", "::error"] == [line.split()[0] for line in commands]
    listed = json.loads(write("gitlab", LINTED, HERE))
    assert ["info", "minor", "major"] == [each["severity"] for each in listed]
    assert 3 == len({each["fingerprint"] for each in listed})
    assert {"path": "b.py", "lines": {"begin": 3, "end": 3}} == listed[1]["location"]


def test_junit_has_a_suite_for_each_file() -> None:
    """What is worth a look only is skipped, all else failed."""
    suites = list(ElementTree.fromstring(write("junit", LINTED, HERE)))
    assert ["src/a b.py", "b.py", "c.py"] == [suite.get("name") for suite in suites]
    assert ["0", "1", "1"] == [suite.get("failures") for suite in suites]
    assert ["1", "0", "0"] == [suite.get("skipped") for suite in suites]


def test_reviewdog_counts_bytes() -> None:
    """Columns are those of UTF-8; without the text there are none, and no edits."""
    look = json.loads(write("rdjson", LINTED, KNOWN))["diagnostics"][0]
    place = {"start": {"line": 2, "column": 7}, "end": {"line": 2, "column": 8}}
    assert [{"range": place, "text": "y"}] == look["suggestions"]
    blind = json.loads(write("rdjson", LINTED, HERE))["diagnostics"][0]
    assert {"start": {"line": 2}, "end": {"line": 2}} == blind["location"]["range"]
    assert "suggestions" not in blind


@pytest.mark.parametrize("name", NAMES)
def test_each_format_has_a_writer(name: str) -> None:
    """A name stands for a writer, for `--json`, or for the usual output."""
    options = Options(format=name)
    assert (name == "full") == (not options.json)
    assert options.format in FORMATS or name in ("full", "json")
    text = write(options.format or "short", LINTED, HERE)
    assert re.search("not found|unused|allows", text)
