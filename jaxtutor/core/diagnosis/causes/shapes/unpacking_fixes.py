"""Fixes statements that unpack a value into another number of names than it has parts."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.shapes.passed_alone import make_tuple
from jaxtutor.core.diagnosis.causes.shapes.unpacking import (
    BatchRows,
    Keys,
    OwnResult,
    Rounds,
    wrong_count,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.reading.values import elements_or_itself


def _as_many_keys(found: Keys) -> Drafts:
    count, number = argument(found.split, 1, "num"), str(len(found.target.elts))
    draft = Draft(found.module).certain()
    if count is not None:
        yield draft.replace(count, number)
    else:
        yield draft.after(found.split.args[-1], f", {number}")


def _other_rounds(found: Rounds) -> Drafts:
    draft = Draft(found.module).certain()
    if found.form == "dict":
        yield draft.after(found.value, ".items()")
    else:
        yield draft.replace(found.target, found.facts["condition"])


def _map_over_rows(found: BatchRows) -> Drafts:
    draft = Draft(found.caller.module).certain()
    yield draft.wrap(found.call.func, f"{draft.name('jax.vmap')}(", ")")


def _fit_result(found: OwnResult) -> Drafts:
    yield _names_of_result(found)
    yield _result_of_names(found)


def _names_of_result(found: OwnResult) -> Draft | None:
    """Take every value, where the names that are taken are names that the function returns."""
    given, taken = _part_names(found.result), _part_names(found.target)
    if "" in taken or len(given) <= len(taken):
        return None
    places = _places(taken, given)
    if places is None:
        return None
    names = ["_"] * len(given)
    for name, place in zip(found.target.elts, places, strict=True):
        names[place] = found.module.text(name)
    return Draft(found.module).replace(found.target, ", ".join(names)).certain()


def _result_of_names(found: OwnResult) -> Draft | None:
    """Return the values as well that the caller takes and the function has by these names."""
    given, taken = _part_names(found.result), _part_names(found.target)
    if "" in taken or len(taken) <= len(given) or isinstance(found.function, ast.Lambda):
        return None
    places = _places(given, taken)
    if places is None or len(returned(found.function)) != 1:
        return None
    texts = [found.home.text(part) for part in elements_or_itself(found.result)]
    parts = dict(zip(places, texts, strict=True))
    missing = [name for n, name in enumerate(taken) if n not in parts]
    if not all(found.home.assignments(name, found.function) for name in missing):
        return None
    written = ", ".join(parts.get(n, name) for n, name in enumerate(taken))
    return Draft(found.home).replace(found.result, written).certain()


def _part_names(node: ast.expr) -> list[str]:
    """List the names of the parts of a tuple, without `new_`; empty for a part that has none."""
    names = [last_name(part) for part in elements_or_itself(node)]
    return [_AGE.sub("", name) for name in names]


_AGE = re.compile(r"^(?:new|next|updated)_|_(?:new|next)$")


def _places(few: list[str], many: list[str]) -> list[int] | None:
    """Return where names stand among others: in the same order, or at the beginning.

    At the beginning, a part without a name may take the place of a name.
    """
    pairs = list(zip(few, many, strict=False))
    if any(a == b for a, b in pairs) and all(a == b or "" in (a, b) for a, b in pairs):
        return list(range(len(few)))
    if "" in few or len(set(few)) < len(few) or any(many.count(name) != 1 for name in few):
        return None
    places = [many.index(name) for name in few]
    return places if places == sorted(places) else None


RULES = (
    Rule(
        "unpack-count-mismatch",
        raised(wrong_count),
        by_match(make_tuple, _as_many_keys, _other_rounds, _map_over_rows, _fit_result),
    ),
)
