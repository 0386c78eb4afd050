"""Measures the figures: `./dev bench [PART…]`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks import PARTS, ROOT, Columns, Options, machine, page, table

COMPARED = ("instructions",)
"""The parts that `--compare` measures if none is named: those that a busy machine cannot change."""
PLACE = "/var/tmp"
"""The folder for homes, because under /tmp some editors do not save by rename."""


def main(words: list[str]) -> int:
    """Measure the given parts, with this Python or each of the named ones."""
    if words[:1] == ["profile"]:
        from benchmarks import profile

        return profile.main(words[1:])
    if words[:1] == ["gates"]:
        from benchmarks import gates

        return gates.main(words[1:])
    given = _parse(words)
    tables = list(_by_other_pythons(given, words) if given.python else [_take(given)])
    if given.json:
        given.json.write_text(json.dumps({"schema": 1, "tables": tables}, indent=1) + "\n")
    return 1 if any(table["machine"]["problems"] for table in tables) else 0


def _parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dev bench",
        description="Take figures, each in turn with what it is compared with, in one run.",
        epilog="`dev bench profile check LESSON` says where the time of one check goes. "
        "`dev bench gates FILE…` writes the table of the course's gates.",
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--repeats", type=int, default=7, metavar="N", help="rounds of each; 7")
    parser.add_argument(
        "--lesson", action="append", default=[], help="this lesson, or this chapter by its number"
    )
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="so many lessons of each chapter"
    )
    parser.add_argument(
        "--python", action="append", default=[], metavar="PATH", help="a table for each of these"
    )
    parser.add_argument(
        "--no-write",
        action="store_true",
        help=f"do not write the tables into docs/performance.md, as a run of {page.FEWEST_ROUNDS} "
        "rounds of every lesson does",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="fail if a ratio to the floor is a tenth above the committed one; "
        f"write nothing; without a PART, of {', '.join(COMPARED)}",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep every value in FILE")
    given = parser.parse_args(words)
    if unknown := sorted(set(given.parts) - set(PARTS)):
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    if given.repeats < 1:
        parser.error("--repeats has to be 1 or more")
    return given


def _by_other_pythons(given: argparse.Namespace, words: list[str]) -> Iterator[dict[str, Any]]:
    """Run this command with each named Python, and combine the results."""
    others = [word for word in words if word not in ("--python", *given.python)]
    for python in given.python:
        with tempfile.NamedTemporaryFile(suffix=".json") as kept:
            command = [python, "-m", "benchmarks", *others, "--json", kept.name]
            subprocess.run(command, cwd=ROOT, check=False)
            yield from json.load(kept)["tables"]


def _take(given: argparse.Namespace) -> dict[str, Any]:
    about = {**machine.describe(), "problems": []}
    _say(*_about(about))
    parts: dict[str, Any] = {}
    with suppress(KeyboardInterrupt):  # write what was measured
        for part in given.parts or (COMPARED if given.compare else PARTS):
            began = time.monotonic()
            parts[part] = []
            busy = _find_load(part)
            with tempfile.TemporaryDirectory(dir=PLACE, ignore_cleanup_errors=True) as home:
                options = Options(Path(home), given.repeats, tuple(given.lesson), given.sample)
                problem = _fill(parts[part], part, options)
            busy = busy or _find_load(part)
            about["problems"] += [it for it in (problem, busy) if it]
            about["problems"] += _record(given, part, parts[part], about, problem or busy)
            _say(f"   {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.2f}", "")
    _say(*about["problems"])
    about["load_at_end"] = round(os.getloadavg()[0], 2)
    _say(f"load average at the end: {about['load_at_end']}")
    return {"machine": about, "repeats": given.repeats, "parts": parts}


def _record(
    given: argparse.Namespace,
    part: str,
    rows: list[dict[str, Any]],
    about: dict[str, Any],
    bad: str,
) -> list[str]:
    """Compare a part with the committed page, and write it there if it was measured in full.

    With `--compare`, return what has grown.
    """
    committed = page.nearest(page.read(page.committed()), part, about["python"])
    _say(*page.compare(rows, committed))
    in_full = given.repeats >= page.FEWEST_ROUNDS and not (given.lesson or given.sample or bad)
    is_attributed = all(about[it] for it in ("commit", "python", "system"))
    if in_full and is_attributed and not (given.no_write or given.compare):
        key = part, about["python"]
        page.write(page.PAGE, key, _columns(part), [row for row in rows if row["drawn"]], about)
    return page.find_growth(rows, committed) if given.compare and not bad else []


def _columns(part: str) -> Columns:
    columns: Columns = importlib.import_module(f"benchmarks.{part}").COLUMNS
    return columns


def _find_load(part: str) -> str:
    """Return why a part cannot be measured well now; what is counted always can."""
    load = "" if _columns(part).counted else machine.find_load()
    return f"{part}: {load}; its figures are not written" if load else ""


def _fill(rows: list[dict[str, Any]], part: str, options: Options) -> str:
    """Measure a part. Return why it ended early, if it did, so that the other parts continue."""
    try:
        rows.extend(_rows(part, options))
    except Exception as error:  # noqa: BLE001 - any failure is reported and kept
        _say(traceback.format_exc())
        return f"{part}: {type(error).__name__}: {error}"[:500]
    return ""


def _rows(part: str, options: Options) -> Iterator[dict[str, Any]]:
    module = importlib.import_module(f"benchmarks.{part}")
    _say(*table.head(module.COLUMNS))
    for row in module.run(options):
        if row.drawn:
            _say(table.line(row))
        yield table.as_json(row) | {"drawn": row.drawn}


def _about(about: dict[str, Any]) -> Iterator[str]:
    versions = ", ".join(f"{name} {text}" for name, text in about["versions"].items())
    yield f"Commit {about['commit'] or 'unknown'}, Python {about['python']}, {versions}"
    yield f"{about['system']}, {about['cores']} cores, {about['memory_gib']} GiB"
    yield f"load average at the start: {about['load_at_start']}"
    yield ""


def _say(*lines: str) -> None:
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
