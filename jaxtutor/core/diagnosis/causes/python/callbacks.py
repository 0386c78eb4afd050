"""Matches and fixes host callbacks that read a traced value of the function around them."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, names_in
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters

_READS_TRACER = re.compile(r"Tracer\w*Error|ConcretizationTypeError|[Uu]nexpected tracer")
_CALLBACKS = (
    "jax.pure_callback",
    "jax.experimental.io_callback",
    "jax.debug.callback",
)


class HostCallback(InContext, frozen=True, kw_only=True):
    """A callback that reads traced values of the function around it."""

    module: Module
    call: ast.Call
    function: FunctionNode
    names: tuple[str, ...]


def callback_closure(context: FailureContext) -> HostCallback | None:
    """A function on the host reads a traced value of the function around it."""
    if _READS_TRACER.search(context.message) is None:
        return None
    calls = [found for module in context.modules.values() for found in _closures(module)]
    if len(calls) != 1:
        return None
    module, call, function, names = calls[0]
    return HostCallback(
        module.location(call.args[0]),
        {"name": names[0]},
        context=context,
        module=module,
        call=call,
        function=function,
        names=names,
    )


def _closures(module: Module) -> list[tuple[Module, ast.Call, FunctionNode, tuple[str, ...]]]:
    found = []
    for call in module.nodes:
        path = module.dotted(call.func) if isinstance(call, ast.Call) else None
        if not isinstance(call, ast.Call) or not call.args or path not in _CALLBACKS:
            continue
        function = resolve(module, call.args[0], call)
        names = _outer_parameters(module, call, function) if function is not None else ()
        if function is not None and names:
            found.append((module, call, function, names))
    return found


def _outer_parameters(module: Module, call: ast.Call, function: FunctionNode) -> tuple[str, ...]:
    """List the parameters of the enclosing functions that a callback reads, in their order."""
    own = set(parameter_names(function))
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    read = {name for part in body for name in names_in(part)} - own
    around = [n for n in module.ancestors(call) if isinstance(n, FunctionNode)]
    given = [a.arg for outer in around for a in parameters(outer)]
    return tuple(name for name in given if name in read)


def pass_to_callback(found: HostCallback) -> Drafts:
    """Pass the traced values to the callback as arguments."""
    if not isinstance(found.function, ast.Lambda):
        return
    own = parameter_names(found.function)
    body = found.module.text(found.function.body)
    draft = Draft(found.module)
    draft.replace(found.function, f"lambda {', '.join([*own, *found.names])}: {body}")
    last = found.call.args[-1]
    if len(found.call.args) == 1:
        yield add_argument(draft, found.call, tuple_text(found.names))
        return
    yield draft.after(last, ", " + ", ".join(found.names))


RULES = (Rule("callback-closes-over-tracer", raised(callback_closure), pass_to_callback),)
