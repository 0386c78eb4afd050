"""Grades a class of learners with odd names, twice, and compares the verdicts.

    python -m trials.classroom FOLDER [--learners 100] [--jobs 2]

Prints one JSON object: files, seconds, verdicts, differences between the runs, wrong verdicts. If
it is ended, the same command goes on from what is in FOLDER; the times are then those of the rest.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course

LESSONS = ("safe-clip-positive", "immutable-update")

ODD = (
    "Ann Lee",
    'Quote "Q" O\'Brien',
    "Zoë Ångström",
    unicodedata.normalize("NFD", "Zoë Decomposed"),
    "🎓 Graduate",
    "Comma, Carl",
    "New\nLine",
    "אבגד הוז",
    "\u202eright to left",
    "-rf",
    "=1+1",
    "李小龙",
    "a;b|c",
    "$(touch ran)",
    "100%",
    "name with  two spaces ",
    "\x1b[31mred",
    "Łuczak`Ewa`",
    "<b>bold</b>",
    "s10",
)
"""What file systems and LMSs let learners call themselves; the others are numbered."""


def names(count: int) -> list[str]:
    """Return so many different names."""
    return [ODD[n] if n < len(ODD) else f"{ODD[n % len(ODD)]} {n}" for n in range(count)]


def texts(lesson: Lesson) -> Iterator[tuple[str, bool]]:
    """Yield texts for a lesson, again and again, each with whether it passes."""
    right = [lesson.solution, *(lesson.read(f"also/{it.name}") for it in lesson.alternatives())]
    wrong = [lesson.read(f"mistakes/{path.name}") for path, _ in lesson.mistakes()]
    wrong.append(lesson.starter)
    while True:
        for index in range(max(len(right), len(wrong))):
            yield right[index % len(right)], True
            yield wrong[index % len(wrong)], False


def hand_in(archive: Path, roster: Path, count: int) -> dict[tuple[str, str], bool]:
    """Write an archive and a roster. Return what should pass, by the learner's row and lesson."""
    course = load_course(None)
    expected = {}
    rows = io.StringIO()
    table = csv.writer(rows)
    table.writerow(["Student", "ID"])
    with zipfile.ZipFile(archive, "w") as packed:
        for number, name in enumerate(names(count), 1001):
            table.writerow([name, number])
        for slug in LESSONS:
            lesson, given = course.find(slug), texts(course.find(slug))
            for number, name in enumerate(names(count), 1001):
                source, passes = next(given)
                folder = f"{name.replace('_', ' ')}_{number}_assignsubmission_file_"
                packed.writestr(f"{folder}/{lesson.folder.name}.py", f"{source}# {number}\n")
                expected[str(number), slug] = passes
    roster.write_text(rows.getvalue(), encoding="utf-8-sig", newline="")
    return expected


def grade(folder: Path, run: int, jobs: int) -> dict[str, Any]:
    """Grade the archive with every output, and return the report."""
    made = folder / f"run{run}"
    outputs = [f"--{name}={made / name}" for name in ("csv", "canvas", "moodle", "junit")]
    words = [sys.executable, "-m", "jaxtutor", "grade", str(folder / "class.zip"), "--json"]
    words += [f"--roster={folder / 'roster.csv'}", f"--feedback={made / 'pages'}"]
    words += [f"--jobs={jobs}", f"--resume={folder / f'run{run}.jsonl'}", *outputs]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise SystemExit(done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    report["pages"] = len(list((made / "pages").rglob("*.html")))
    return report


def verdicts(report: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Return the status of each file."""
    return {(row["id"], row["lesson"]): row["status"] for row in report["grades"]}


def main() -> None:
    """Run the trial."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--learners", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    folder = chosen.folder
    folder.mkdir(parents=True, exist_ok=True)
    expected = hand_in(folder / "class.zip", folder / "roster.csv", chosen.learners)
    started = time.monotonic()
    first, second = (grade(folder, run, chosen.jobs) for run in (1, 2))
    seconds = time.monotonic() - started
    one, two = verdicts(first), verdicts(second)
    report = {
        "files": len(expected),
        "graded": len(one),
        "resumed": [first["resumed"], second["resumed"]],
        "seconds_a_file": round(seconds / 2 / len(expected), 2),
        "median_seconds_measured": sorted(it["seconds"] for it in first["grades"])[len(one) // 2],
        "verdicts": Counter(one.values()),
        "different_in_the_second_run": [key for key in one if one[key] != two.get(key)],
        "wrong": [key for key in expected if (one.get(key) == "passed") != expected[key]],
        "pages": first["pages"],
        "copies_noted": sum("the same" in note for it in first["grades"] for note in it["notes"]),
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
