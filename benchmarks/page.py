"""Writes the tables into docs/performance.md, and reads those that were committed there.

Each part has a block of its own between two comments, so that parts can be measured one by one.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks import PARTS, ROOT, Columns, table

PAGE = ROOT / "docs" / "performance.md"
FEWEST_ROUNDS = 7
"""Rounds of a run whose medians are worth writing down."""
END = "<!-- end of the figures -->"
_BLOCK = re.compile(r"<!-- figures: (\w+), Python ([\d.]+) -->\n(.*?)<!-- end -->\n\n?", re.S)
_ROW = re.compile(r"^\| ([^|]+) \| ([\d.]+) ([^ |]+) [(|]", re.M)

Key = tuple[str, str]
"""The name of a part, and the version of Python."""
Row = Mapping[str, Any]


def committed() -> str:
    """Return the page as it was committed last; empty if git does not know it."""
    name = PAGE.relative_to(ROOT).as_posix()
    command = ["git", "-C", str(ROOT), "show", f"HEAD:{name}"]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def read(text: str) -> dict[Key, dict[str, str]]:
    """Return the medians of each block of a page, by the names of the figures."""
    return {
        (part, python): {name.strip(): f"{value} {unit}" for name, value, unit in _rows(block)}
        for part, python, block in _BLOCK.findall(text)
    }


def _rows(block: str) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = _ROW.findall(block)
    return found


def compare(rows: Iterable[Row], before: Mapping[str, str]) -> list[str]:
    """Say how each figure differs from its committed median."""
    lines = []
    for row in rows:
        value, _, unit = before.get(row["name"], "").partition(" ")
        if value and unit == row["unit"] and row["median"] is not None and float(value):
            change = (row["median"] / float(value) - 1) * 100
            lines.append(f"{row['name']}: {change:+.0f} % of the committed {value} {unit}")
    return lines


def write(page: Path, key: Key, columns: Columns, rows: Iterable[Row], about: Row) -> None:
    """Put the block of a part into the page, in place of its earlier one."""
    text = page.read_text(encoding="utf-8")
    blocks = {(part, python): block for part, python, block in _BLOCK.findall(text)}
    blocks[key] = _draw(columns, rows, about)
    drawn = "".join(
        f"<!-- figures: {part}, Python {python} -->\n{blocks[part, python]}<!-- end -->\n\n"
        for part, python in sorted(blocks, key=lambda it: (PARTS.index(it[0]), it[1]))
    )
    rest = _BLOCK.sub("", text)
    if END not in rest:
        raise ValueError(f"{page} has no line {END}")
    page.write_text(rest.replace(END, drawn + END), encoding="utf-8")


def _draw(columns: Columns, rows: Iterable[Row], about: Row) -> str:
    heads = ["", "median (quartiles)", *(f"of {it}" for it in (columns.floor, columns.rival) if it)]
    sides = [name for name, it in (("floor", columns.floor), ("rival", columns.rival)) if it]
    lines = [_line(heads), _line("---" for _ in heads)]
    for row in rows:
        low, median, high = map(table.number, table.quartiles(row["ours"]))
        ratios = [f"{row[it]['ratio']:.2f}" if it in row else "" for it in sides]
        lines.append(_line([row["name"], f"{median} {row['unit']} ({low} to {high})", *ratios]))
    title = columns.title[:1].upper() + columns.title[1:]
    return f"**{title}.** {describe(about)}\n\n" + "".join(f"{line}\n" for line in lines)


def describe(about: Row) -> str:
    """Describe the machine and its software in a sentence."""
    versions = ", ".join(f"{name} {it}" for name, it in about["versions"].items() if it != "none")
    return (
        f"{date.today().isoformat()}, Python {about['python']}, {versions}; {about['system']}, "
        f"{about['cores']} cores, {about['memory_gib']} GiB; load {about['load_at_start']}."
    )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
