"""Writes the tables into docs/performance.md, and reads those that were committed there.

Each part has a block of its own between two comments, so that parts can be measured one by one.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import PARTS, ROOT, Columns, table

PAGE = ROOT / "docs" / "performance.md"
FEWEST_ROUNDS = 7
"""Rounds of a run whose medians are worth writing down."""
END = "<!-- end of the figures -->"
_BLOCK = re.compile(r"<!-- figures: (\w+), Python ([\d.]+) -->\n(.*?)<!-- end -->\n\n?", re.S)
_ROW = re.compile(r"^\| ([^|]+) \| ([\d.]+) ([^ |]+) [^|]*\|(?: ([\d.]+) \|)?", re.M)
MOST_GROWTH = 1.1
"""The committed ratio to the floor times this is the most that `--compare` accepts."""

Key = tuple[str, str]
"""The name of a part, and the version of Python."""
Row = Mapping[str, Any]


class Figure(NamedTuple):
    """A committed figure: its median, and its ratio to the floor if it has one."""

    median: float
    unit: str
    of_floor: float | None = None


def committed() -> str:
    """Return the page as it was committed last; empty if git does not know it."""
    name = PAGE.relative_to(ROOT).as_posix()
    command = ["git", "-C", str(ROOT), "show", f"HEAD:{name}"]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def read(text: str) -> dict[Key, dict[str, Figure]]:
    """Return the figures of each block of a page, by their names."""
    return {
        (part, python): {
            name.strip(): Figure(float(value), unit, float(ratio) if ratio else None)
            for name, value, unit, ratio in _ROW.findall(block)
        }
        for part, python, block in _BLOCK.findall(text)
    }


def nearest(figures: Mapping[Key, dict[str, Figure]], part: str, python: str) -> dict[str, Figure]:
    """Return a part's figures with this Python, or with another of the same minor version."""
    minor = python.rpartition(".")[0]
    like = [key for key in figures if key[0] == part and key[1].rpartition(".")[0] == minor]
    return figures[max(like, key=lambda key: key[1] == python)] if like else {}


def compare(rows: Iterable[Row], before: Mapping[str, Figure]) -> list[str]:
    """Say how each figure differs from its committed median."""
    lines = []
    for row in rows:
        kept = before.get(row["name"])
        if kept and kept.unit == row["unit"] and row["median"] is not None and kept.median:
            change = (row["median"] / kept.median - 1) * 100
            number = table.number(kept.median)
            lines.append(f"{row['name']}: {change:+.0f} % of the committed {number} {kept.unit}")
    return lines


def find_growth(rows: Iterable[Row], before: Mapping[str, Figure]) -> list[str]:
    """Say which figures have a ratio to their floor that is a tenth above the committed one.

    The ratio holds on another machine too. A figure that was never committed is named as well: a
    comparison with nothing must not pass.
    """
    lines = []
    for row in rows:
        kept = before.get(row["name"])
        if kept is None or kept.of_floor is None:
            lines.append(f"{row['name']}: no figure is committed that it can be compared with")
        elif row["floor"]["ratio"] > kept.of_floor * MOST_GROWTH:
            ratio = f"{row['floor']['ratio']:.2f} of the floor"
            lines.append(f"{row['name']}: {ratio}, {kept.of_floor:.2f} is committed")
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
        f"{date.today().isoformat()}, commit {about['commit']}, Python {about['python']}, "
        f"{versions}; {about['system']}, {about['cores']} cores, {about['memory_gib']} GiB; "
        f"load {about['load_at_start']}."
    )


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"
