"""Matches and fixes values that are read from an inference of NumPyro, and are not collected."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.calls import keyword_value, method_of
from jaxtutor.core.diagnosis.reading.library_calls import given_values
from jaxtutor.core.diagnosis.reading.values import elements


class Unrecorded(AtFrame, frozen=True, kw_only=True):
    """A value that a model of the file `home` computes in an assignment, and does not record."""

    home: Module
    value: ast.expr
    name: str


_FIELDS = frozenset(
    """accept_prob adapt_state energy i mean_accept_prob num_steps potential_energy r rng_key
    trajectory_length z z_grad""".split()
)
"""Fields of the states of HMC and NUTS that `run` collects only where they are named."""


class Uncollected(AtFrame, frozen=True, kw_only=True):
    """A field of the sampler that the call `run`, in the file `home`, does not collect."""

    home: Module
    run: ast.Call
    name: str


def not_recorded(context: FailureContext) -> AtFrame | None:
    """A name that a model computes is read from its samples, or a field that is not collected."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Subscript):
        return None
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(key, str):
        return None
    if any(method_of(v) == "get_extra_fields" for v in given_values(context, frame, node.value)):
        return _uncollected(context, frame, node, key)
    found = [(m, f, v) for m in context.modules.values() for f, v in _computed(m, key)]
    if len(found) != 1:
        return None
    home, model, value = found[0]
    return _unrecorded(context, frame, node, (home, model, value), key)


def _uncollected(
    context: FailureContext, frame: FrameContext, node: ast.Subscript, key: str
) -> Uncollected | None:
    """Match a field of the only sampler of a program with HMC or NUTS, which runs once."""
    calls = [(m, n) for m in context.modules.values() for n in m.calls]
    named = [(m.dotted(call.func) or "") for m, call in calls]
    samplers = [name for name in named if name == "numpyro.infer.MCMC"]
    kernels = [name for name in named if name in ("numpyro.infer.HMC", "numpyro.infer.NUTS")]
    runs = [(m, call) for m, call in calls if method_of(call) == "run" and call.args]
    if key not in _FIELDS or not len(samplers) == len(kernels) == len(runs) == 1:
        return None
    home, run = runs[0]
    if keyword_value(run, "extra_fields") is None and any(k.arg is None for k in run.keywords):
        return None
    facts = {
        "name": key,
        "container": " ".join(frame.module.text(node.value).split()),
        "function": home.text(run.func),
        "argument": _option(home, keyword_value(run, "extra_fields"), key),
    }
    return Uncollected(
        home.location(run), facts, "field", context=context, home=home, run=run, name=key
    )


def _option(home: Module, given: ast.expr | None, key: str) -> str:
    """Write the option that collects a field, after those that it names."""
    named = elements(given)
    inside = ", ".join([*(home.text(field) for field in named), f'"{key}"'])
    return f"extra_fields=({inside})" if named else f"extra_fields=({inside},)"


def _unrecorded(
    context: FailureContext,
    frame: FrameContext,
    node: ast.Subscript,
    place: tuple[Module, FunctionNode, ast.expr],
    key: str,
) -> Unrecorded:
    home, model, value = place
    statement = home.statement(value)
    facts = {
        "name": key,
        "container": frame.module.text(node.value),
        "function": name_of(model),
        "argument": f'{key} = numpyro.deterministic("{key}", …)',
    }
    return Unrecorded(
        home.location(statement if statement is not None else value),
        facts,
        context=context,
        home=home,
        value=value,
        name=key,
    )


def _computed(module: Module, name: str) -> Iterator[tuple[FunctionNode, ast.expr]]:
    """Yield the functions that sample and assign a name, with what they assign to it."""
    for function in module.functions:
        nodes = list(own_nodes(function))
        calls = [n for n in nodes if isinstance(n, ast.Call)]
        if not any(module.dotted(call.func) == "numpyro.sample" for call in calls):
            continue
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                    yield function, value


def record(found: AtFrame) -> Drafts:
    """Record the value as a site, or collect the field."""
    if isinstance(found, Uncollected):
        yield from _collect(found)
    elif isinstance(found, Unrecorded):
        draft = Draft(found.home).certain()
        deterministic = draft.name("numpyro.deterministic")
        yield draft.wrap(found.value, f'{deterministic}("{found.name}", ', ")")


def _collect(found: Uncollected) -> Drafts:
    """Name the field in the call that runs the sampler, after the fields that it names."""
    draft = Draft(found.home).certain()
    given = keyword_value(found.run, "extra_fields")
    if given is None:
        yield add_argument(draft, found.run, f'extra_fields=("{found.name}",)')
    elif isinstance(given, ast.Tuple | ast.List) and given.elts:
        yield draft.after(given.elts[-1], f', "{found.name}"')


RULES = (Rule("value-not-recorded", raised(not_recorded), record),)
