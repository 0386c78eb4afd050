"""Matches and mends plates of NumPyro whose size is not that of the data inside them."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import argument, keyword_value, parameters
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import names_in

_SHAPE = re.compile(r"\((\d[\d, ]*)\)")
_ROW = re.compile(r"\w+\[(\d+)\]$")


class PlateSize(AtFrame, frozen=True, kw_only=True):
    """A plate whose size is not that of the observations; `array` is one that has their size."""

    size: ast.expr
    array: str


def in_plate(context: FailureContext, found: AtFrame) -> AtFrame:
    """Return the plate whose size does not fit, or the site inside it."""
    shapes = [f"({shape})" for shape in _SHAPE.findall(context.message)]
    facts = {"detail": " and ".join(shapes[:2])}
    plates = _plates(found.frame)
    rows = _rows(found.frame, found.call)
    size = argument(plates[0], 1, "size") if len(plates) == 1 else None
    if size is None or not rows or rows not in (s.strip("(,)") for s in shapes[1:2]):
        return replace(found, form="plate", facts=facts)
    array = _array_of(found.frame, found.call, rows)
    facts |= {"name": found.module.text(size), "argument": f"{array}.shape[0]"}
    place = found.frame.place(plates[0])
    return PlateSize(
        place if array else None,
        facts,
        "plate_size" if array else "plate",
        context=context,
        frame=found.frame,
        size=size,
        array=array,
    )


def _plates(frame: FrameContext) -> list[ast.Call]:
    """List the plates around the site that was being sampled."""
    around = frame.module.ancestors(frame.node) if frame.node is not None else ()
    return [
        item.context_expr
        for node in around
        if isinstance(node, ast.With)
        for item in node.items
        if isinstance(item.context_expr, ast.Call)
        and frame.callee(item.context_expr) in ("numpyro.plate", "numpyro.primitives.plate")
    ]


def _rows(frame: FrameContext, site: ast.Call | None) -> str:
    """Return the number of observations of a site, where they have one axis."""
    observed = keyword_value(site, "obs") if site is not None else None
    fact = frame.fact(observed)
    said = _ROW.search(fact.detail) if fact is not None else None
    return said[1] if said is not None else ""


def _array_of(frame: FrameContext, site: ast.Call | None, rows: str) -> str:
    """Name an array of the site with as many rows; the observations last, which may be None."""
    observed = keyword_value(site, "obs") if site is not None else None
    own = {a.arg for a in parameters(frame.function)}
    names = sorted(names_in(site) & own) if site is not None else []
    last = [n for n in names if observed is not None and n in names_in(observed)]
    for name in [*(n for n in names if n not in last), *last]:
        fact = frame.fact(name)
        said = _ROW.search(fact.detail) if fact is not None else None
        if said is not None and said[1] == rows:
            return name
    return ""


def size_of_data(found: PlateSize) -> Drafts:
    """Give the plate the number of rows of the data."""
    if found.array:
        yield Draft(found.module).certain().replace(found.size, f"{found.array}.shape[0]")
