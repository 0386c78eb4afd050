"""Matches and mends diffusion terms of Diffrax that do not fit the noise that drives them."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import result_of
from jaxtutor.core.diagnosis.rules import AtFrame, Drafts
from jaxtutor.core.diagnosis.source import Module
from jaxtutor.core.diagnosis.transforms import resolve

_STRUCTURES = re.compile(
    r"(?:diffusion|vector field) had structure\s*`?(.*?)`?,?\s*and the (?:Brownian motion|control)"
    r" had structure\s*`?(.*?)`?,?\s*which when .* evolving state `y` which had structure"
    r"\s*`?(.*?)`?\.",
    re.S,
)


class Diffusion(AtFrame, frozen=True, kw_only=True):
    """What a diffusion term returns, in the file `home`; `is_diagonal` if each noise has one y."""

    home: Module
    result: ast.expr
    is_diagonal: bool


def diffusion(context: FailureContext) -> AtFrame | None:
    """The matrix of a `ControlTerm` times its noise does not have the shape of the state."""
    frame = context.frame
    said = _STRUCTURES.search(context.message)
    if frame is None or said is None:
        return None
    found = [
        (module, result)
        for module in context.modules.values()
        for call in ast.walk(module.tree)
        if isinstance(call, ast.Call) and module.dotted(call.func) == "diffrax.ControlTerm"
        if call.args and (function := resolve(module, call.args[0], call)) is not None
        if (result := result_of(function)) is not None
    ]
    vector, noise, state = (said[n].strip() for n in (1, 2, 3))
    facts = {"name": vector, "argument": noise, "aval": state}
    if len(found) != 1:
        return AtFrame(None, facts, "diffusion", context=context, frame=frame)
    module, result = found[0]
    is_diagonal = vector == noise == state and "[]" not in state
    return Diffusion(
        module.location(result),
        {**facts, "argument": f"lineax.DiagonalLinearOperator({module.text(result)})"},
        "diagonal" if is_diagonal else "diffusion",
        context=context,
        frame=frame,
        home=module,
        result=result,
        is_diagonal=is_diagonal,
    )


def diagonal_operator(found: Diffusion) -> Drafts:
    """Return a diagonal operator: each element of the state has a noise of its own."""
    if found.is_diagonal:
        known = {path: alias for alias, path in found.home.imports.items()}
        draft = Draft(found.home).certain()
        name = known.get("lineax")
        if name is None:
            name = "lineax"
            draft.import_line("import lineax")
        yield draft.wrap(found.result, f"{name}.DiagonalLinearOperator(", ")")
