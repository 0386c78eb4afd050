"""Formats figures as a table of 100 columns and as JSON."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks import Columns, Row

WIDTH = 100
NAME, OURS, RATIO = 23, 27, 25


def head(columns: Columns) -> Iterator[str]:
    """Return a part's title and its column headings."""
    yield f"── {columns.title} ".ljust(WIDTH, "─")
    for note in columns.notes:
        yield f"   {note}"
    of = [f"of {name}" if name else "" for name in (columns.floor, columns.rival)]
    yield f"{'':{NAME}}{'median (quartiles)':<{OURS}}{of[0]:<{RATIO}}{of[1]}".rstrip()


def line(row: Row) -> str:
    """Return one figure as a line."""
    name = row.name if len(row.name) < NAME else row.name[: NAME - 2] + "…"
    ours = _spread(row.ours, row.aim, f" {row.unit}")
    floor = _spread(row.ratios(row.floor), row.of_floor)
    rival = _spread(row.ratios(row.rival), row.of_rival)
    return f"{name:{NAME}}{ours:<{OURS}}{floor:<{RATIO}}{rival}".rstrip()


def _spread(values: Sequence[float], aim: float | None, unit: str = "") -> str:
    if not values:
        return ""
    low, middle, high = quartiles(values)
    text = f"{number(middle)}{unit} ({number(low)}–{number(high)})"
    if aim is None:
        return text
    return f"{text} ≤{round(aim, 2):g} {'✓' if middle <= aim else '✗'}"


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the first quartile, the median and the third."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def number(value: float) -> str:
    """Return a number with three significant digits, or all digits before the point."""
    places = 2 if abs(value) < 9.995 else 1 if abs(value) < 99.95 else 0
    return f"{value:.{places}f}"


def as_json(row: Row) -> dict[str, Any]:
    """Return a figure for the JSON: every value, and the medians."""
    kept: dict[str, Any] = {"name": row.name, "unit": row.unit, "ours": list(row.ours)}
    kept["median"] = statistics.median(row.ours) if row.ours else None
    for side, aim in (("floor", row.of_floor), ("rival", row.of_rival)):
        values = getattr(row, side)
        if values:
            ratio = statistics.median(row.ratios(values))
            kept[side] = {"values": list(values), "ratio": ratio, "aim": aim}
    return kept | ({"aim": row.aim} if row.aim is not None else {})
