"""Writes one HTML page for each learner: verdicts, differences, diagnoses, points.

A page has no answers to hidden calls, no part of the solution and no edit.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.grading.evidence import Evidence
from jaxtutor.core.grading.exports import LearnerGrades
from jaxtutor.core.grading.grades import Grade
from jaxtutor.core.grading.points import Points, decimal
from jaxtutor.core.reporting.diagnosis_html import as_html

SUFFIX = ".html"
LONGEST_NAME = 60
"""Characters. A file name may have 255 bytes, and a character four."""

LONGEST_PREFIX = 200
"""Bytes of an LMS's prefix, which cannot be cut; a longer one is not used."""

VERDICTS = {
    "passed": "Passed.",
    "failed": "Not passed.",
    "raised": "Not passed: it raised an exception.",
    "timed_out": "Not passed: it did not end in time.",
    "crashed": "Not passed: its process ended.",
    "lesson_at_fault": "Not graded: the lesson itself is broken.",
    "unreadable": "Not graded: the file could not be read.",
    "unnamed": "Not graded: no lesson has such a name.",
    "not_graded": "Not graded.",
    "missing": "Nothing was handed in.",
}

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem }}
pre {{ padding: .5rem; overflow-x: auto; border: 1px solid #8888 }}
</style>
</head>
<body>
<h1 dir="auto">{title}</h1>
{body}
</body>
</html>
"""


def page(
    learner: LearnerGrades,
    points: Points,
    titles: Mapping[str, str],
    sources: Mapping[str, str],
) -> str:
    """Return a learner's page. `titles` are those of lessons, `sources` the texts of the files."""
    parts = []
    if len(points.lessons) > 1 or not points.is_default:
        parts.append(_paragraph(_points(learner.total(points), points.total)))
    for grade in learner.lessons.values():
        parts += _section(grade, points, titles, sources.get(grade.file, ""))
    return _PAGE.format(title=html.escape(visible(learner.name)), body="\n".join(parts))


def _points(earned: object, possible: object) -> str:
    return f"{decimal(earned)} of {decimal(possible)} points."  # type: ignore[arg-type]


def _section(grade: Grade, points: Points, titles: Mapping[str, str], source: str) -> Iterator[str]:
    title = titles.get(grade.lesson, grade.lesson) or grade.file or "All lessons"
    yield f"<h2>{_text(title)}</h2>"
    late = " It was handed in late." if grade.late else ""
    yield _paragraph(VERDICTS[grade.status] + late)
    if not points.is_default and grade.lesson in points.lessons:
        yield _paragraph(f"{grade.points:g} of {grade.points_possible:g} points.")
    if grade.status in ("unreadable", "not_graded"):
        yield _paragraph(grade.headline)
    if grade.checks:
        rows = (f"<li>{_text(it.says)} <em>{it.status}</em></li>" for it in grade.checks)
        yield f"<ul>{''.join(rows)}</ul>"
    if grade.evidence is not None:
        yield from _evidence(grade.evidence)
    if grade.diagnosis is not None:
        yield as_html(grade.diagnosis, source, grade.file.rpartition("/")[2])


def _evidence(found: Evidence) -> Iterator[str]:
    yield f"<h3>{_text(found.says)}</h3>"
    yield from map(_paragraph, filter(None, (found.problem, found.relation)))
    if found.inputs:
        rows = (f"  {found.inputs}", f"- {found.expected}", f"+ {found.actual}")
        lines = visible("\n".join(row for row in rows if row.strip("-+ ")))
        yield f"<p>Expected (-) and got (+):</p><pre>{html.escape(lines)}</pre>"


def _paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def _text(text: str) -> str:
    return html.escape(visible(text)).replace("\n", "<br>")


# ---------------------------------------------------------------- names of files


_UNSAFE = re.compile(r'[\x00-\x20"%*/:<>?\\|\x7f]+')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def page_names(learners: Sequence[str], prefixes: Mapping[str, str]) -> dict[str, str]:
    """Return the name of each learner's page, below the folder of the pages.

    With the prefix that an LMS gave to a learner's files, the pages can be uploaded there as a zip.
    """
    taken: set[str] = set()
    names = {}
    for learner in learners:
        prefix = _safe(prefixes.get(learner, ""))
        is_used = learner in prefixes and len(prefix.encode()) <= LONGEST_PREFIX
        wanted = f"{prefix}feedback" if is_used else _safe(learner[:LONGEST_NAME])
        names[learner] = name = next(it for it in _numbered(wanted) if it.casefold() not in taken)
        taken.add(name.casefold())
    return names


def _numbered(wanted: str) -> Iterable[str]:
    yield wanted + SUFFIX
    number = 2
    while True:
        yield f"{wanted}-{number}{SUFFIX}"
        number += 1


def _safe(name: str) -> str:
    """Return a name that every file system takes and no shell reads as an option.

    A slash at the end stays: it is that of Moodle's folder of a learner.
    """
    folder = "/" if name.endswith("/") else ""
    plain = _UNSAFE.sub(" ", visible(name.removesuffix("/"))).strip(". ") or "learner"
    if plain.startswith("-") or _RESERVED.fullmatch(plain):
        plain = f"_{plain}"
    return plain + folder
