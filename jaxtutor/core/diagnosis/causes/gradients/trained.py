"""Matches and fixes `argnums` that names data in the place of the models that are trained."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import find, place_of
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.values import elements_or_itself

_LIBRARIES = ("nnx", "equinox")
_NOT_REAL = re.compile(r"requires real-(?: or complex-)?valued inputs")


class OfData(AtFrame, frozen=True, kw_only=True):
    """An option `argnums`, in the file `home`, that names data; `wanted` names the models."""

    home: Module
    option: ast.expr
    wanted: str


def of_data(context: FailureContext) -> OfData | None:
    """The gradient is with respect to integers, and as many models are passed beside them."""
    frame, call = context.frame, context.call
    item = find(context, "grad", "value_and_grad")
    option = item.option("argnums") if item is not None else None
    if frame is None or call is None or item is None or option is None:
        return None
    if _NOT_REAL.search(context.message) is None or call.keywords:
        return None
    named, models = _written_integers(option), _models(frame, call)
    others = [n for n in named if n not in models and n < len(call.args)]
    if len(named) != len(models) or not others:
        return None
    text = frame.module.text
    wanted = ", ".join(map(str, models))
    facts = {
        "argument": item.module.text(option),
        "container": _joined_names([text(call.args[n]) for n in others]),
        "name": _joined_names([text(call.args[n]) for n in models]),
        "condition": f"({wanted})" if len(models) > 1 else wanted,
    }
    return OfData(
        place_of(item),
        facts,
        "data",
        context=context,
        home=item.module,
        option=option,
        wanted=facts["condition"],
    )


def _written_integers(option: ast.expr) -> list[int]:
    items = elements_or_itself(option)
    values = [item.value for item in items if isinstance(item, ast.Constant)]
    numbers = [value for value in values if isinstance(value, int)]
    return numbers if len(numbers) == len(items) else []


def _models(frame: FrameContext, call: ast.Call) -> list[int]:
    """List the positions at which a call passes modules, whose parameters are trained."""
    return [
        position
        for position, given in enumerate(call.args)
        if any(is_module_of(library, frame, given) for library in _LIBRARIES)
    ]


def _joined_names(names: list[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def name_models(found: OfData) -> Drafts:
    """Let argnums name the models, in the order in which they are passed."""
    yield Draft(found.home).certain().replace(found.option, found.wanted)
