"""Lays out arrays for the prompt: type, elements or a clipped view, range and distribution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite, isnan, prod

from msgspec import Struct

from jaxtutor.core.judging.arrays import number_text
from jaxtutor.core.judging.compare import Number
from jaxtutor.core.repl.messages import Line, Page, PageStyle

GAP = "…"
BLOCKS = "▁▂▃▄▅▆▇█"
ASCII_BLOCKS = "_.-=+*#@"
DIGITS = 5
SPREAD_BINS = 32


class Summary(Struct, frozen=True):
    """The statistics of an array too large to show; NaN and infinity are left out.

    `spark` are counts of values in equal bins from `low` to `high`, or, if `along` is set, the
    values along a vector. `looked_at` is the number of elements used.
    """

    low: float
    high: float
    mean: float
    spread: float
    quartiles: tuple[float, float, float]
    spark: tuple[float, ...]
    along: bool
    looked_at: int


class ArrayFacts(Struct, frozen=True):
    """The parts of an array that are shown.

    `picked` are the indices shown along each axis, ascending; a gap is drawn where they are not
    consecutive. `numbers` are the elements at the product of `picked`, in C order. `where` is the
    device, or the type of the container.
    """

    type: str
    shape: tuple[int, ...]
    where: str
    picked: tuple[tuple[int, ...], ...]
    numbers: tuple[Number, ...]
    is_weak: bool = False
    size: str = ""
    nans: int = 0
    first_nan: tuple[int, ...] = ()
    infinities: int = 0
    trues: int | None = None
    summary: Summary | None = None

    @property
    def is_whole(self) -> bool:
        """Return whether every element is shown."""
        return len(self.numbers) == prod(self.shape)


def array_page(facts: ArrayFacts, look: PageStyle) -> Page:
    """Lay out an array: a scalar in one line, others below a line with their type."""
    if not facts.shape and facts.numbers:
        number = _cell(facts.numbers[0])
        return ((number, ("   ", ""), *_type_line(facts)),)
    gap = "..." if look.ascii or look.plain else GAP
    body = tuple(_body(facts, look, gap))
    return (_type_line(facts), *body, *_troubles(facts), *_summary(facts, look))


def _type_line(facts: ArrayFacts) -> Line:
    parts = [facts.where, facts.size, "weakly typed" if facts.is_weak else ""]
    rest = "   ".join(part for part in parts if part)
    return ((facts.type, "code"), (f"   {rest}" if rest else "", "quiet"))


# ---------------------------------------------------------------- elements


def _body(facts: ArrayFacts, look: PageStyle, gap: str) -> Iterator[Line]:
    if 0 in facts.shape:
        yield (("no elements", "quiet"),)
    elif len(facts.shape) == 1:
        yield from _vector(facts, look, gap)
    else:
        yield from _slices(facts, look, gap)


def _vector(facts: ArrayFacts, look: PageStyle, gap: str) -> Iterator[Line]:
    """Write a vector in one line, clipped to fit; a complete short one on several lines."""
    cells = _cells(facts.numbers)
    width = look.width - 2
    if facts.is_whole and _joined(cells) <= width * 3:
        yield from _wrapped(cells, width)
        return
    order = facts.picked[0]
    half = len(cells) // 2
    while half > 1 and _joined([*cells[:half], *cells[-half:]]) + len(gap) + 2 > width:
        half -= 1
    is_cut = 2 * half < facts.shape[0]
    shown: list[tuple[str, str]] = [("[", "")]
    for index, cell in enumerate(cells[:half] + cells[-half:]):
        shown += [(", ", "")] if index else []
        shown += [(f"{gap}, ", "quiet")] if index == half and is_cut else []
        shown.append(cell)
    yield (*shown, ("]", "")) if order else (("[]", ""),)


def _joined(cells: Sequence[tuple[str, str]]) -> int:
    return sum(len(text) + 2 for text, _ in cells)


def _wrapped(cells: Sequence[tuple[str, str]], width: int) -> Iterator[Line]:
    line: list[tuple[str, str]] = [("[", "")]
    used = 1
    for index, cell in enumerate(cells):
        if index and used + len(cell[0]) + 2 > width:
            yield (*line, (",", ""))
            line, used = [(" ", "")], 1
        elif index:
            line.append((", ", ""))
            used += 2
        line.append(cell)
        used += len(cell[0])
    yield (*line, ("]", ""))


def _slices(facts: ArrayFacts, look: PageStyle, gap: str) -> Iterator[Line]:
    """Write the matrices of the last two axes, each below its index."""
    outer, rows, columns = facts.picked[:-2], facts.picked[-2], facts.picked[-1]
    step = len(rows) * len(columns)
    for position, index in enumerate(_indices(outer)):
        if outer:
            text = ", ".join(map(str, index))
            is_gap = position and _skips(outer, facts.shape, position)
            yield ((f"{gap} " if is_gap else "", "quiet"), (f"[{text}]", "quiet"))
        numbers = facts.numbers[position * step : (position + 1) * step]
        yield from _grid(numbers, (rows, columns), facts.shape[-2:], look, gap)


def _indices(picked: Sequence[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    if not picked:
        yield ()
        return
    for first in picked[0]:
        for rest in _indices(picked[1:]):
            yield (first, *rest)


def _skips(picked: Sequence[tuple[int, ...]], shape: tuple[int, ...], position: int) -> bool:
    every = list(_indices(picked))
    before, now = every[position - 1], every[position]
    flat = [_flat(index, shape) for index in (before, now)]
    return flat[1] - flat[0] > 1


def _flat(index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    flat = 0
    for position, extent in zip(index, shape, strict=False):
        flat = flat * extent + position
    return flat


def _grid(
    numbers: Sequence[Number],
    picked: tuple[tuple[int, ...], tuple[int, ...]],
    shape: tuple[int, ...],
    look: PageStyle,
    gap: str,
) -> Iterator[Line]:
    rows, columns = picked
    cells = _alike(numbers)
    table = [cells[r * len(columns) : (r + 1) * len(columns)] for r in range(len(rows))]
    kept = _fitting(table, columns, look.width - 4 - len(gap))
    widths = [max(len(row[c][0]) for row in table) for c in kept]
    before_row = -1
    for row, cells_of_row in zip(rows, table, strict=True):
        if row != before_row + 1:
            yield (("  " + gap, "quiet"),)
        before_row = row
        line: list[tuple[str, str]] = []
        before = -1
        for c, width in zip(kept, widths, strict=True):
            text, style = cells_of_row[c]
            if columns[c] != before + 1:
                line.append((f"  {gap}", "quiet"))
            before = columns[c]
            line += [(" " * (2 + width - len(text)), ""), (text, style)]
        if before != shape[-1] - 1:
            line.append((f"  {gap}", "quiet"))
        yield tuple(line)
    if before_row != shape[0] - 1:
        yield (("  " + gap, "quiet"),)


def _fitting(
    table: Sequence[Sequence[tuple[str, str]]], columns: tuple[int, ...], room: int
) -> list[int]:
    """Choose the columns that fit; those in the middle are left out first."""
    kept = list(range(len(columns)))
    widths = [max(len(row[c][0]) for row in table) + 2 for c in kept]
    while len(kept) > 1 and sum(widths[c] for c in kept) > room:
        del kept[len(kept) // 2]
    return kept


def _alike(numbers: Sequence[Number]) -> list[tuple[str, str]]:
    """Write floats of similar size with the same number of decimals, for easy comparison."""
    floats = [n for n in numbers if isinstance(n, float) and isfinite(n)]
    sizes = [abs(n) for n in floats if n]
    if not sizes or max(sizes) >= 1e5 or max(sizes) < 1e-2:
        return _cells(numbers)
    whole = len(str(int(max(sizes))))
    most = max(DIGITS - whole, 1)
    needed = max(len(f"{n:.{most}f}".rstrip("0").partition(".")[2]) for n in floats)
    decimals = max(needed, 1)
    return [
        (f"{n:.{decimals}f}", "") if isinstance(n, float) and isfinite(n) else _cell(n)
        for n in numbers
    ]


def _cells(numbers: Sequence[Number]) -> list[tuple[str, str]]:
    return [_cell(number) for number in numbers]


def _cell(number: Number) -> tuple[str, str]:
    """Write a number; NaN and infinity are highlighted."""
    text = number_text(number, DIGITS)
    if isinstance(number, bool | int):
        return text, ""
    parts = (number.real, number.imag) if isinstance(number, complex) else (number,)
    if any(map(isnan, parts)):
        return "NaN" if not isinstance(number, complex) else text, "failed"
    return text, "" if all(map(isfinite, parts)) else "mark"


# ---------------------------------------------------------------- in words


def _troubles(facts: ArrayFacts) -> Iterator[Line]:
    """Count NaN and infinities, which a clipped view may not show."""
    if facts.nans:
        where = ", ".join(map(str, facts.first_nan))
        many = f"{facts.nans:,} NaN" if facts.nans > 1 else "1 NaN"
        first = f", the first at [{where}]" if facts.nans > 1 else f", at [{where}]"
        yield ((f"{many}{first}", "failed"),)
    if facts.infinities:
        noun = "infinity" if facts.infinities == 1 else "infinities"
        yield ((f"{facts.infinities:,} {noun}", "mark"),)


def _summary(facts: ArrayFacts, look: PageStyle) -> Iterator[Line]:
    found = facts.summary
    if facts.trues is not None and not facts.is_whole:
        yield ((f"{facts.trues:,} of {prod(facts.shape):,} are True", ""),)
    if found is None:
        return
    low, high, mean, spread = (
        number_text(value, 4) for value in (found.low, found.high, found.mean, found.spread)
    )
    size = prod(facts.shape)
    sampled = f"   (of {found.looked_at:,} of {size:,} elements)" if found.looked_at < size else ""
    yield (
        ("from ", "quiet"),
        (low, ""),
        (" to ", "quiet"),
        (high, ""),
        ("   mean ", "quiet"),
        (mean, ""),
        ("   std ", "quiet"),
        (spread, ""),
        (sampled, "quiet"),
    )
    if look.plain:
        quarters = ", ".join(number_text(value, 4) for value in found.quartiles)
        yield ((f"quartiles {quarters}", ""),)
    elif found.spark and found.low < found.high:
        words = "along the axis" if found.along else "how the values are spread"
        room = max(8, min(len(found.spark), look.width - len(words) - 3))
        yield ((spark(found.spark, room, look.ascii), "code"), (f"  {words}", "quiet"))


def spark(values: Sequence[float], width: int = SPREAD_BINS, ascii: bool = False) -> str:
    """Draw values as a line of blocks; a value that is not finite leaves a space."""
    steps = ASCII_BLOCKS if ascii else BLOCKS
    values = _resample(values, width)
    known = [value for value in values if isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    scale = (len(steps) - 1) / (high - low) if high > low else 0.0
    return "".join(
        steps[round((value - low) * scale)] if isfinite(value) else " " for value in values
    )


def _resample(values: Sequence[float], width: int) -> list[float]:
    """Average the values in equal ranges if there are more than fit."""
    count = len(values)
    if count <= width:
        return list(values)
    edges = [round(position * count / width) for position in range(width + 1)]
    return [sum(values[start:end]) / (end - start) for start, end in pairwise(edges) if end > start]
