"""Formats the value of a cell: arrays shortened and summarised, pytrees leaf by leaf."""

from __future__ import annotations

import pprint
from collections.abc import Iterator
from math import prod
from typing import Any, Protocol

import jax
import numpy as np

from jaxtutor.core.repl.array_views import SPREAD_BINS, ArrayFacts, Summary, array_page
from jaxtutor.core.repl.messages import Line, Page, PageStyle, page_text, plain_page
from jaxtutor.worker import devices
from jaxtutor.worker.internals import tracers

MOST_ROWS = 10
MOST_COLUMNS = 24
MOST_VECTOR = 60
WHOLE_VECTOR = 60
WHOLE_ROWS = 12
WHOLE_SIZE = 240  # numbers of an array of three axes or more
MOST_LOOKED_AT = 4_000_000
MOST_LEAVES = 60
MOST_LINES = 200
MOST_TEXT = 20_000


class Report(Protocol):
    """The result of a command, with its numbers as attributes and a method to show it."""

    def _page_(self, look: PageStyle) -> Page:
        """Return the report as a page."""


def report_text(report: Report) -> str:
    """Return a report as plain text, for `repr`."""
    return page_text(report._page_(PageStyle(plain=True)))


def show(value: Any, look: PageStyle) -> Page:
    """Return the page that shows a value. The learner's own `__repr__` may raise anything."""
    if "_page_" in vars(type(value)):
        page: Page = value._page_(look)
        return page
    if _is_array(value):
        return _show_array(value, look)
    if _is_tree_of_arrays(value):
        return tree_page(value, look, with_values=True)
    return _show_other(value, look)


def _is_array(value: object) -> bool:
    cls = type(value)
    if issubclass(cls, np.ndarray | np.generic):
        return np.ndarray.dtype.__get__(np.asarray(value)).kind in "biufcV"
    return issubclass(cls, jax.Array) and not tracers.is_tracer(value)


def _is_tree_of_arrays(value: object) -> bool:
    """Return True for a container of arrays, not for other Python data or own classes."""
    if not issubclass(type(value), dict | list | tuple) or not value:
        return False
    try:
        leaves = jax.tree.leaves(value)
    except Exception:  # keys that cannot be sorted, or one of the learner's classes
        return False
    return any(map(_is_array, leaves[:MOST_LEAVES]))


def _show_other(value: Any, look: PageStyle) -> Page:
    if isinstance(value, str | bytes | list | tuple | dict | set | frozenset):
        text = pprint.pformat(value, width=max(look.width - 1, 20), sort_dicts=False)
    else:
        text = repr(value)
    return clip(text)


def clip(text: str, most: int = MOST_LINES) -> Page:
    """Return a text as a page, cut at the limits on lines and characters."""
    text = str(text)
    lines = text[:MOST_TEXT].split("\n")
    page = plain_page("\n".join(lines[:most]))
    left = text.count("\n") + 1 - len(page)
    if left > 0 or len(text) > MOST_TEXT:
        page += (((f"{left:,} lines more", "quiet"),),)
    return page


# ---------------------------------------------------------------- arrays


def _show_array(value: Any, look: PageStyle) -> Page:
    facts = describe(value)
    return array_page(facts, look) if facts is not None else clip(repr(value))


def describe(value: Any) -> ArrayFacts | None:
    """Describe the visible part of an array. Return None if it has no numbers to show."""
    if isinstance(value, jax.Array):
        if value.is_deleted():
            return None
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            return None
        if not value.is_fully_addressable:
            return None
    array = np.asarray(value)
    if not _holds_numbers(array.dtype):
        return None
    picked = tuple(_pick(axis, array.shape) for axis in range(array.ndim))
    part = array[np.ix_(*picked)] if picked else array
    is_whole = part.size == array.size
    plain = _plain(array)
    nans = np.isnan(plain) if plain.dtype.kind in "fc" else None
    count = int(nans.sum()) if nans is not None else 0
    first = np.unravel_index(int(nans.argmax()), array.shape) if nans is not None and count else ()
    infinities = int(np.isinf(plain).sum()) if plain.dtype.kind in "fc" else 0
    return ArrayFacts(
        type=type_text(value),
        shape=array.shape,
        where=where(value),
        picked=picked,
        numbers=tuple(_plain(part).ravel().tolist()),
        is_weak=bool(getattr(getattr(value, "aval", None), "weak_type", False)),
        size=_size_text(array.nbytes) if array.nbytes >= 1 << 20 else "",
        nans=count,
        first_nan=tuple(map(int, first)) if array.ndim else (),
        infinities=infinities,
        trues=int(array.sum()) if array.dtype == bool else None,
        summary=None if is_whole or array.dtype == bool else _summarise(plain),
    )


def _holds_numbers(dtype: np.dtype[Any]) -> bool:
    return any(jax.dtypes.issubdtype(dtype, kind) for kind in (np.number, np.bool_))


def _plain(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Convert narrow types to float32 or int32, because numpy hardly supports them."""
    if array.dtype.kind in "biufc":
        return array
    is_float = jax.dtypes.issubdtype(array.dtype, np.floating)
    return array.astype(np.float32 if is_float else np.int32)


def _pick(axis: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the indices to show along an axis: all if they are few, else both ends."""
    extent, rank = shape[axis], len(shape)
    if rank > 2 and prod(shape) <= WHOLE_SIZE:
        return tuple(range(extent))
    if rank == 1:
        whole, most = WHOLE_VECTOR, MOST_VECTOR
    elif axis == rank - 1:
        whole, most = MOST_COLUMNS, MOST_COLUMNS
    elif axis == rank - 2:
        whole, most = WHOLE_ROWS, MOST_ROWS if rank == 2 else 4
        whole = whole if rank == 2 else 6
    else:
        whole, most = 2, 2
    if extent <= whole:
        return tuple(range(extent))
    half = most // 2
    return (*range(half), *range(extent - half, extent))


def _summarise(array: np.ndarray[Any, Any]) -> Summary | None:
    """Summarise the finite elements. A very large array is sampled at equal steps."""
    flat = array.reshape(-1)
    step = -(-flat.size // MOST_LOOKED_AT)
    looked_at = flat[::step]
    if array.dtype.kind == "c":
        looked_at = np.abs(looked_at)
    numbers = looked_at.astype(np.float64)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return None
    low, high = float(finite.min()), float(finite.max())
    along = array.ndim == 1
    spark: Any = ()
    if along:
        spark = _means(numbers, 60)
    elif low < high:
        spark = np.histogram(finite, SPREAD_BINS, (low, high))[0]
    quarters = np.quantile(finite[:: max(finite.size // 200_000, 1)], (0.25, 0.5, 0.75))
    return Summary(
        low=low,
        high=high,
        mean=float(finite.mean()),
        spread=float(finite.std()),
        quartiles=(float(quarters[0]), float(quarters[1]), float(quarters[2])),
        spark=tuple(map(float, spark)),
        along=along,
        looked_at=int(looked_at.size),
    )


def _means(numbers: np.ndarray[Any, Any], count: int) -> list[float]:
    parts = np.array_split(numbers, min(count, numbers.size))
    return [float(part.mean()) for part in parts]


def type_text(value: Any) -> str:
    """Return shape and dtype as JAX writes them: `float32[3]`."""
    if isinstance(value, jax.Array):
        return tracers.aval_text(value).lstrip("~")
    array = np.asarray(value)
    return f"{array.dtype}[{','.join(map(str, array.shape))}]"


def where(value: Any) -> str:
    """Return the device of an array, its sharding over several devices, or `numpy`."""
    if not isinstance(value, jax.Array):
        return "numpy"
    held = sorted(value.devices(), key=lambda device: device.id)
    if len(held) == 1:
        return devices.name(held[0])
    spec = getattr(value.sharding, "spec", None)
    return f"on {len(held)} devices" + (f", {spec}" if spec is not None else "")


def _size_text(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1024
    return ""


# ---------------------------------------------------------------- pytrees


def tree_page(value: Any, look: PageStyle, with_values: bool = False) -> Page:
    """Return a pytree as a page with one line for each leaf: path, type, numbers if they fit."""
    paths, _ = jax.tree_util.tree_flatten_with_path(value)
    rows = [(jax.tree_util.keystr(path), leaf) for path, leaf in paths[:MOST_LEAVES]]
    first = max((len(name) for name, _ in rows), default=0)
    second = max((len(leaf_type(leaf)) for _, leaf in rows), default=0)
    lines = list(_leaf_lines(rows, first, second, look, with_values))
    sizes = [prod(np.shape(leaf)) for _, leaf in paths if _is_array(leaf)]
    count = len(paths)
    head = f"{type(value).__name__} of {count} {'leaf' if count == 1 else 'leaves'}"
    total = f"   {sum(sizes):,} numbers" if sum(sizes) > len(sizes) else ""
    left = len(paths) - len(rows)
    more: Page = (((f"{left:,} more", "quiet"),),) if left else ()
    return (((head, "title"), (total, "quiet")), *lines, *more)


def _leaf_lines(
    rows: list[tuple[str, Any]], first: int, second: int, look: PageStyle, with_values: bool
) -> Iterator[Line]:
    for name, leaf in rows:
        kind = leaf_type(leaf)
        room = look.width - first - second - 6
        text = _brief(leaf, room) if with_values and room > 8 else ""
        style = "failed" if "NaN" in text else "quiet"
        yield (
            (f"  {name:<{first}}  ", ""),
            (f"{kind:<{second}}" if text else kind, "code"),
            (f"  {text}" if text else "", style),
        )


def leaf_type(leaf: Any) -> str:
    """Return the type of a leaf: an array's as JAX writes it, else the class name."""
    if _is_array(leaf):
        weak = bool(getattr(getattr(leaf, "aval", None), "weak_type", False))
        return type_text(leaf) + (" weak" if weak else "")
    return type(leaf).__name__


def _brief(leaf: Any, room: int) -> str:
    """Return a leaf as text of at most `room` characters, or nothing if it does not fit."""
    if not _is_array(leaf):
        text = repr(leaf) if isinstance(leaf, bool | int | float | complex | str) else ""
        return text if len(text) <= room else ""
    facts = describe(leaf)
    if facts is None or len(facts.shape) > 1:
        return ""
    flat = ArrayFacts(**{**_fields(facts), "summary": None})
    page = array_page(flat, PageStyle(width=room))
    text = page_text(page[1:2] if facts.shape else ((page[0][0],),))
    return text if len(page) <= 2 and len(text) <= room else ""


def _fields(facts: ArrayFacts) -> dict[str, Any]:
    return {name: getattr(facts, name) for name in facts.__struct_fields__}


# ---------------------------------------------------------------- tables


def table(rows: list[tuple[str, str, str]]) -> Page:
    """Return rows of name, number and note as a page with aligned columns."""
    first = max((len(name) for name, _, _ in rows), default=0)
    second = max((len(figure) for _, figure, _ in rows), default=0)
    return tuple(
        (
            (f"{name:<{first}}", ""),
            (f"  {figure:>{second}}", "code"),
            (f"  {says}" if says else "", "quiet"),
        )
        for name, figure, says in rows
    )


def seconds_text(seconds: float) -> str:
    """Return a time with a suitable unit."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale or unit == "µs":
            return f"{seconds / scale:.3g} {unit}"
    return ""
