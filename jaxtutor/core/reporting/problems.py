"""Lists the problems of a report, which `--json` prints, as other tools know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.fingerprints import unique_names
from jaxtutor.core.data.lines import split_lines

PASSING = frozenset({"passed", "clean"})
Level = Literal["error", "warning", "note"]
"""An error fails a run, a warning is a mistake that raises nothing, a note is worth a look."""


class Region(Struct, frozen=True, kw_only=True):
    """A stretch of a file. Lines and columns count from 1, and the end is not part of it."""

    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1


class Replacement(Struct, frozen=True):
    """A stretch of a file and the text that takes its place."""

    region: Region
    text: str


class ReportedProblem(Struct, frozen=True, kw_only=True):
    """One problem at a position; `rule` is a cause or empty.

    `text` is what the problem is about, from which its fingerprint is computed: the line, or the
    expression where the file is not known. `edits` fix the problem, if an edit is known.
    """

    file: str
    message: str
    rule: str = ""
    region: Region = Region()
    level: Level = "error"
    remedy: str = ""
    text: str = ""
    edits: tuple[Replacement, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """What happened, and what to do if that is known."""
        return tuple(filter(None, (self.message, self.remedy)))


Texts = Mapping[str, str]
"""Sources, by the names of their files in the report."""


def problems(report: Mapping[str, Any], base: str, texts: Texts) -> tuple[ReportedProblem, ...]:
    """List the problems in a report of `check`, `diagnose`, `lint` or `grade`.

    Files below the folder `base` are named relative to it, as GitHub requires.
    """
    if "grades" in report:
        found = [_graded(report["folder"], row) for row in _failing(report["grades"])]
    else:
        found = list(_reported(report))
    lines = {file: split_lines(text) for file, text in texts.items()}
    return tuple(
        replace(
            problem,
            file=relative_to(problem.file, base),
            text=_line(lines.get(problem.file, ()), problem) or problem.text,
        )
        for problem in found
    )


def relative_to(file: str, base: str) -> str:
    """Return the path of a file below a folder; its whole path elsewhere."""
    return file.removeprefix(base.rstrip("/") + "/")


def _line(lines: Sequence[str], problem: ReportedProblem) -> str:
    line = problem.region.line
    return lines[line - 1] if problem.rule and line <= len(lines) else ""


def _reported(report: Mapping[str, Any]) -> Iterator[ReportedProblem]:
    if "error" in report:
        error = report["error"]
        yield ReportedProblem(file="", message=error["message"], remedy=error["remedy"])
        return
    if report.get("diagnosis") is not None:
        yield _diagnosed(report["diagnosis"], "error")
    elif report["status"] not in PASSING | {"found"}:
        headline = report.get("headline") or report["status"].replace("_", " ")
        yield ReportedProblem(file=report["file"], message=headline)
    for found in (*report["findings"], *report.get("beside", ())):
        yield _diagnosed(found, "warning")
    yield from _linted(report)


def _linted(report: Mapping[str, Any]) -> Iterator[ReportedProblem]:
    """Yield what only `lint` reports."""
    for found in report.get("worth_a_look", ()):
        yield _diagnosed(found, "note")
    for comment in report.get("comments", ()):
        region = Region(line=comment["line"], end_line=comment["line"])
        message = f"This comment cannot be obeyed: {comment['says']}"
        if comment["is_unused"]:
            message = "This comment allows what was not found."
        yield ReportedProblem(file=comment["file"], message=message, region=region, level="warning")
    for unread in report.get("unread", ()):
        yield ReportedProblem(file=unread["file"], message=f"Not read. {unread['why']}")


def _failing(rows: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (row for row in rows if row["status"] not in PASSING)


def _graded(folder: str, row: Mapping[str, Any]) -> ReportedProblem:
    line = row["line"] or 1
    path = f"{folder.rstrip('/')}/{row['file']}" if row["file"] else folder
    region = Region(line=line, end_line=line)
    return ReportedProblem(
        file=path, message=row["headline"], rule=row["cause"] or "", region=region
    )


def _diagnosed(found: Mapping[str, Any], level: Level) -> ReportedProblem:
    problem = ReportedProblem(
        file=found["file"],
        message=found["summary"] or found["message"],
        rule=found["cause"] or "",
        level=level,
        remedy=found["advice"],
        text=found["expression"],
    )
    if found["cell"] is not None:  # its lines are not those of the notebook's file
        where = f"Cell {found['cell']}, line {found['line'] or 1}"
        return replace(problem, message=f"{where}: {problem.message}")
    fix = found["fix"] or {}
    edits = tuple(Replacement(_region(edit), edit["text"]) for edit in fix.get("edits", ()))
    return replace(problem, region=_region(found), edits=edits)


def _region(place: Mapping[str, Any]) -> Region:
    line = place["line"] or 1
    column = (place["column"] or 0) + 1
    end = place["end_column"]
    return Region(
        line=line,
        column=column,
        end_line=place["end_line"] or line,
        end_column=(end if end is not None else column) + 1,
    )


def fingerprints(found: Sequence[ReportedProblem]) -> list[str]:
    """Return a name for each problem that stays when lines move."""
    facts = [(each.rule or each.message, each.file, each.text) for each in found]
    return unique_names(facts)
