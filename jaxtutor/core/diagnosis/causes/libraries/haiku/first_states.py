"""Matches and fixes `init` of Haiku in evaluation mode, which reads averages that do not exist."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.library_calls import library_call, place_of_call

_ABSENT = re.compile(r"No value for '([^']*)' in '([^']*)'")


class InitInEvaluation(AtFrame, frozen=True, kw_only=True):
    """A call of `init`; `flag` is the only False that it passes."""

    flag: ast.Constant | None


def init_in_evaluation(context: FailureContext) -> InitInEvaluation | None:
    """`init` runs the model in evaluation mode, before any average was stored."""
    said = _ABSENT.search(context.message)
    found = library_call(context, "init")
    if said is None or found is None or "haiku" not in _packages(context):
        return None
    frame, call = found
    given = passed_arguments(call)
    flags = [a for a in given if isinstance(a, ast.Constant) and a.value is False]
    facts = {
        "name": said[1],
        "container": said[2],
        "function": place_of_call(frame, call),
        "argument": _flag_text(call, flags[0]) if len(flags) == 1 else "is_training=True",
    }
    return InitInEvaluation(
        frame.place(call),
        facts,
        context=context,
        outer_frame=frame,
        flag=flags[0] if len(flags) == 1 else None,
    )


def _packages(context: FailureContext) -> set[str]:
    return {name.partition(".")[0] for name in context.failure.jax_frames}


def _flag_text(call: ast.Call, flag: ast.Constant) -> str:
    """Write the argument with True, and with its name if it has one."""
    names = [k.arg for k in call.keywords if k.value is flag]
    return f"{names[0]}=True" if names else "True"


def init_in_training(found: InitInEvaluation) -> Drafts:
    """Call `init` in training mode."""
    if found.flag is not None:
        yield Draft(found.module).certain().replace(found.flag, "True")


RULES = (Rule("haiku-init-in-evaluation", raised(init_in_evaluation), init_in_training),)
