"""Matches and fixes terms of Diffrax: a diffusion without a matrix, a solve without `args`."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of
from jaxtutor.core.diagnosis.reading.functions import result_of

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
        for call in calls_of(module, "diffrax.ControlTerm")
        if call.args and (function := resolve(module, call.args[0], call)) is not None
        if (result := result_of(function)) is not None
    ]
    vector, noise, state = (said[n].strip() for n in (1, 2, 3))
    facts = {"name": vector, "argument": noise, "aval": state}
    if len(found) != 1:
        return AtFrame(None, facts, "diffusion", context=context)
    module, result = found[0]
    is_diagonal = vector == noise == state and "[]" not in state
    has_number = "[]" in vector and "[]" in noise and "[]" not in state
    if is_diagonal:
        facts["argument"] = f"lineax.DiagonalLinearOperator({module.text(result)})"
    return Diffusion(
        module.location(result),
        facts,
        "diagonal" if is_diagonal else "number" if has_number else "diffusion",
        context=context,
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


class WithoutArgs(AtFrame, frozen=True, kw_only=True):
    """A call of `diffeqsolve` without `args`; `given` is the name there that was meant, if any."""

    caller: FrameContext
    call: ast.Call
    given: str


def solved_without_args(context: FailureContext, name: str) -> WithoutArgs | None:
    """The last parameter of a vector field is None, for the solve passes no `args`."""
    frame = context.frame
    given = [a.arg for a in frame.function.args.args] if frame and frame.function else []
    if frame is None or len(given) < 3 or given[-1] != name:
        return None
    for caller in reversed(context.frames[:-1]):
        call = caller.node
        is_solve = caller.callee(call) in ("diffrax.diffeqsolve", "diffrax._integrate.diffeqsolve")
        if not isinstance(call, ast.Call) or not is_solve:
            continue
        if argument(call, 6, "args") is not None:
            return None
        meant = name if caller.kind(name) not in (None, "none") else ""
        facts = {"name": name, "argument": meant or "…", "function": name_of(frame.function)}
        return WithoutArgs(
            caller.place(call),
            facts,
            "args",
            context=context,
            caller=caller,
            call=call,
            given=meant,
        )
    return None


def pass_args(found: WithoutArgs) -> Drafts:
    """Pass what the vector field reads."""
    if found.given:
        draft = Draft(found.caller.module).certain()
        yield add_argument(draft, found.call, f"args={found.given}")
