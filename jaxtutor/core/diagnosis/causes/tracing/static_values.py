"""Matches and fixes static values that a function of jax.numpy made into tracers."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.tracing.demands import (
    DATA_SIZED,
    NOT_CONCRETE,
    is_by_python,
    static_demand,
)
from jaxtutor.core.diagnosis.causes.tracing.traced_slices import is_static_slice
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Location
from jaxtutor.core.diagnosis.reading.names import last_part


def on_static_value(context: FailureContext) -> AtFrame | None:
    """A traced value comes from no argument: a jnp function was given static values only."""
    if not context.is_from_constants or _is_from_library(context) or _is_closed_over(context):
        return None
    demand = static_demand(context)
    is_slice = is_static_slice(context) and isinstance(context.node, ast.Subscript)
    by_python = context.error in NOT_CONCRETE and is_by_python(context)
    if demand is None and not is_slice and not by_python:
        return None
    if demand is not None and demand.name in DATA_SIZED and demand.traced_size() is None:
        return None
    return at_frame(context, {"argument": ""}, _first_step(context))


def _is_closed_over(context: FailureContext) -> bool:
    """Return whether a traced parameter of a function around the one at fault is read.

    To JAX it is a constant of the inner function, which a loop or a transformation traces.
    """
    frame, node = context.frame, context.node
    inner = frame.function if frame is not None else None
    if frame is None or node is None or inner is None:
        return False
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and frame.is_traced(n)}
    around = (
        n
        for n in frame.module.nodes
        if isinstance(n, ast.FunctionDef) and n is not inner and inner in ast.walk(n)
    )
    return any(arg.arg in read for n in around for arg in (*n.args.args, *n.args.kwonlyargs))


def _is_from_library(context: FailureContext) -> bool:
    """Return whether a traced value is drawn, or the result of another library's function."""
    step = context.failure.origin[0]
    module = context.modules.get(step.file or "")
    node = module.node_at(step.span) if module is not None and step.span is not None else None
    path = module.dotted(node.func) if module is not None and isinstance(node, ast.Call) else None
    is_drawn = path is not None and path.startswith("jax.random.")
    return is_drawn or (path or "jax").partition(".")[0] not in ("jax", "numpy", "functools")


def _first_step(context: FailureContext) -> Location | None:
    """Return the expression where a static value became traced, if in another statement."""
    step = context.failure.origin[0]
    module = context.modules.get(step.file or "")
    if module is None or step.span is None or step.file is None:
        return None
    node = module.node_at(step.span)
    if node is not None and context.frame and module.statement(node) is context.frame.statement:
        return None
    while node is not None and isinstance(
        outer := module.parents.get(node), ast.Attribute | ast.Call
    ):
        if isinstance(outer, ast.Call) and outer.func is not node:
            break
        node = outer
    return Location(step.file, module.span(node) if node else step.span, step.expression)


def numpy_for_static(found: AtFrame) -> Drafts:
    """Call numpy on static values instead of jnp: in the first statement, then in all."""
    context = found.context
    steps = [s for s in context.failure.origin if s.span is not None and s.file is not None]
    for chosen in (steps[:1], steps):
        drafts: Draft | None = None
        seen: set[ast.AST] = set()
        for step in chosen:
            module = context.modules.get(step.file or "")
            node = module.node_at(step.span) if module is not None and step.span else None
            statement = module.statement(node) if module is not None and node is not None else None
            if module is None or statement is None or statement in seen:
                continue
            seen.add(statement)
            drafts = drafts or Draft(module)
            if drafts.module is module:
                _to_numpy(drafts, statement)
        yield drafts


def _to_numpy(draft: Draft, statement: ast.stmt) -> None:
    module = draft.module
    for node in ast.walk(statement):
        path = module.dotted(node.func) if isinstance(node, ast.Call) else None
        if not isinstance(node, ast.Call) or path is None or not path.startswith("jax.numpy."):
            continue
        name = last_part(path)
        is_needed = name in ("zeros", "ones", "eye", "full", "reshape", "tile", "arange")
        if not is_needed:
            draft.replace(node.func, draft.name(f"numpy.{name}"))


RULES = (Rule("jnp-op-on-static-value", raised(on_static_value), numpy_for_static),)
