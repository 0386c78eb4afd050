"""Matches and fixes plates of NumPyro whose size is not that of the data inside them."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.libraries.numpyro.subsamples import part_of_rows
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import names_in, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, calls_in, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters

_SHAPE = re.compile(r"\((\d[\d, ]*)\)")
_ROW = re.compile(r"\w+\[(\d+)\]$")
_FIRST = re.compile(r"\w+\[(\d+)[\d,]*\]$")


class PlateSize(AtFrame, frozen=True, kw_only=True):
    """A plate whose size is not that of the observations; `array` is one that has their size."""

    size: ast.expr
    array: str


def in_plate(context: FailureContext, found: AtFrame) -> AtFrame:
    """Return the plate whose size does not fit, or the site inside it."""
    shapes = [f"({shape})" for shape in _SHAPE.findall(context.message)]
    facts = {"detail": " and ".join(shapes[:2])}
    plates = plates_around(found.frame)
    part = part_of_rows(found, plates[0], shapes) if len(plates) == 1 else None
    if part is not None:
        return part
    rows = _observation_count(found.frame, found.call)
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
        size=size,
        array=array,
    )


class GroupValues(AtFrame, frozen=True, kw_only=True):
    """A vector with one value for each group, among vectors with one for each row."""

    values: ast.Name
    group: str


def group_values(context: FailureContext, found: AtFrame) -> GroupValues | None:
    """A model of NumPyro combines values of groups with rows, and does not read the groups."""
    frame, function = found.frame, found.frame.function
    shapes = [s.strip(" ,") for s in _SHAPE.findall(context.message)]
    if function is None or len(shapes) != 2 or not all(s.isdigit() and s != "1" for s in shapes):
        return None
    samples = (n for n in calls_in(function))
    if not any((frame.callee(call) or "").startswith("numpyro.") for call in samples):
        return None
    read = {n for statement in ast.iter_child_nodes(function) for n in names_in(statement)}
    unread = [a.arg for a in parameters(function) if a.arg not in read]
    for rows, groups in (shapes, shapes[::-1]):
        index = [n for n in unread if _is_integer_array(frame, n) and _size(frame, n) == rows]
        named = ast.walk(found.at) if found.at is not None else ()
        values = [n for n in named if isinstance(n, ast.Name) and _size(frame, n.id) == groups]
        if len(index) == 1 and len(values) == 1:
            facts = {"name": values[0].id, "argument": index[0], "detail": f"{groups} and {rows}"}
            return GroupValues(
                None,
                facts,
                "groups",
                context=context,
                outer_frame=frame,
                values=values[0],
                group=index[0],
            )
    return None


def _size(frame: FrameContext, name: str) -> str:
    """Return the length of a vector."""
    fact = frame.fact(name)
    said = _ROW.search(fact.detail) if fact is not None else None
    return said[1] if said is not None else ""


def _is_integer_array(frame: FrameContext, name: str) -> bool:
    fact = frame.fact(name)
    return fact is not None and fact.detail.startswith(("int", "uint"))


def index_groups(found: GroupValues) -> Drafts:
    """Take for each row the value of its group."""
    yield Draft(found.module).certain().after(found.values, f"[{found.group}]")


def plates_around(frame: FrameContext) -> list[ast.Call]:
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


def _observation_count(frame: FrameContext, site: ast.Call | None) -> str:
    """Return the number of observations of a site, where they have one axis."""
    observed = path_of(keyword_value(site, "obs")) if site is not None else None
    return _size(frame, observed) if observed is not None else ""


def _array_of(frame: FrameContext, site: ast.Call | None, rows: str) -> str:
    """Name an array of the site with as many rows; the observations last, which may be None."""
    observed = keyword_value(site, "obs") if site is not None else None
    own = set(parameter_names(frame.function))
    names = sorted(names_in(site) & own) if site is not None else []
    last = [n for n in names if observed is not None and n in names_in(observed)]
    ordered = [*(n for n in names if n not in last), *last]
    return next((n for n in ordered if _length(frame, n) == rows), "")


def _length(frame: FrameContext, name: str) -> str:
    """Return the length of the first axis of an array."""
    fact = frame.fact(name)
    said = _FIRST.search(fact.detail) if fact is not None else None
    return said[1] if said is not None else ""


def size_of_data(found: PlateSize) -> Drafts:
    """Give the plate the number of rows of the data."""
    if found.array:
        yield Draft(found.module).certain().replace(found.size, f"{found.array}.shape[0]")
