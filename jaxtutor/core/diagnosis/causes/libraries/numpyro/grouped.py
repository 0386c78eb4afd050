"""Matches and fixes samples grouped by chain that `Predictive` takes for single draws."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of, method_of
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of
from jaxtutor.core.diagnosis.reading.names import bound_value, load_sites

_PREDICTIVE = ("numpyro.infer.Predictive", "numpyro.infer.util.Predictive")


class Grouped(InContext, frozen=True, kw_only=True):
    """A `Predictive`, made by `call`, of the grouped samples that `samples` returns.

    `is_only` if nothing else reads the samples; `home` is the file of that call.
    """

    module: Module
    call: ast.Call
    home: Module
    samples: ast.Call
    is_only: bool


def grouped_samples(context: FailureContext) -> Grouped | None:
    """A model fails in `Predictive`, whose samples have an axis for the chains in front."""
    for frame in reversed(context.frames):
        made = _predictive_call(frame)
        given = argument(made, 1, "posterior_samples") if made is not None else None
        if made is None or given is None or keyword_of(made, "batch_ndims") is not None:
            continue
        for value in given_values(context, frame, given):
            if isinstance(value, ast.Call) and _is_grouped(value):
                return _grouped_samples(context, frame, made, given, value)
    return None


def _predictive_call(frame: FrameContext) -> ast.Call | None:
    """Return the call that makes the `Predictive` which a frame's call calls."""
    call = frame.node if isinstance(frame.node, ast.Call) else None
    made = bound_value(frame.module, call.func) if call is not None else None
    is_one = isinstance(made, ast.Call) and frame.module.dotted(made.func) in _PREDICTIVE
    return made if is_one and isinstance(made, ast.Call) else None


def _is_grouped(call: ast.Call) -> bool:
    option = argument(call, 0, "group_by_chain")
    is_true = isinstance(option, ast.Constant) and option.value is True
    return method_of(call) == "get_samples" and is_true


def _grouped_samples(
    context: FailureContext,
    frame: FrameContext,
    made: ast.Call,
    given: ast.expr,
    samples: ast.Call,
) -> Grouped | None:
    home = home_of(context, samples)
    if home is None:
        return None
    name = frame.module.text(given)
    facts = {"name": name, "function": home.text(samples.func)}
    place = home.location(samples)
    return Grouped(
        place,
        facts,
        context=context,
        module=frame.module,
        call=made,
        home=home,
        samples=samples,
        is_only=len(load_sites(frame.module.scope(given), path_of(given) or "")) <= 1,
    )


def one_axis_of_draws(found: Grouped) -> Drafts:
    """Take the samples of all chains in one axis, or say that two axes count them."""
    option = keyword_of(found.samples, "group_by_chain")
    both = add_argument(Draft(found.module), found.call, "batch_ndims=2")
    if option is not None and found.is_only:
        yield Draft(found.home).replace(option.value, "False")
    yield both


RULES = (Rule("samples-grouped-by-chain", raised(grouped_samples), one_axis_of_draws),)
