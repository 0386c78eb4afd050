"""Matches and fixes functions whose parameters stand in another order than a library passes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.extending.extension_rules import (
    custom_rules,
    parameters_of_rule,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import Finding, InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import definition_place, name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import argument, calls_to
from jaxtutor.core.diagnosis.words import CHILDREN, METADATA, TIMES

_SOLVES = {
    "diffrax.diffeqsolve": "diffrax",
    "diffrax._integrate.diffeqsolve": "diffrax",
    "jax.experimental.ode.odeint": "odeint",
}
_TERMS = ("diffrax.ODETerm", "diffrax.ControlTerm", "diffrax.WeaklyDiagonalControlTerm")


class InAnotherOrder(InContext, frozen=True, kw_only=True):
    """A function, in the file `home`, and its parameters in the order in which it gets them."""

    home: Module
    function: FunctionNode
    expected: tuple[ast.arg, ...]


class SwappedField(Finding, frozen=True, kw_only=True):
    """A vector field that takes the time for the state; `expected` is the right order."""

    node: FunctionNode
    expected: tuple[ast.arg, ...]


def another_order(context: FailureContext) -> InAnotherOrder | None:
    """A vector field, an unflattening or a backward rule has its parameters in another order."""
    for form, module, function, expected in _candidates(context):
        if expected != _positional(function):
            return InAnotherOrder(
                definition_place(module, function),
                _words(function, expected),
                form,
                context=context,
                home=module,
                function=function,
                expected=tuple(expected),
            )
    return None


def _words(function: FunctionNode, expected: list[ast.arg]) -> dict[str, str]:
    return {
        "function": name_of(function),
        "argument": ", ".join(a.arg for a in _positional(function)),
        "condition": ", ".join(a.arg for a in expected),
    }


_Candidate = tuple[str, Module, FunctionNode, list[ast.arg]]


def _candidates(context: FailureContext) -> Iterator[_Candidate]:
    """Yield the functions at fault that a library calls, with their parameters in its order."""
    yield from _solve_fields(context)
    if context.frame is None or context.frame.function is None:
        return
    module, function = context.frame.module, context.frame.function
    if _unflattens(module, function):
        yield "unflatten", module, function, _children_last(_positional(function))
    for registered, position, rule in custom_rules(module):
        if rule is function and (registered.attr, position) == ("defvjp", 1):
            _, fixed = parameters_of_rule(module, registered)
            given = _positional(function)
            held = [a for name in fixed for a in given if a.arg == name]
            if held and len(held) == len(fixed):
                yield "backward", module, function, [*held, *(a for a in given if a not in held)]


def _positional(function: FunctionNode) -> list[ast.arg]:
    """List the parameters that a library passes by position, without `self` and `cls`."""
    given = [*function.args.posonlyargs, *function.args.args]
    return given[1:] if given and given[0].arg in ("self", "cls") else given


# ---------------------------------------------------------------- vector fields


def _solve_fields(context: FailureContext) -> Iterator[_Candidate]:
    """Yield the vector fields of the solve at which the program failed."""
    for place, frame in enumerate(context.frames):
        form = _SOLVES.get(frame.callee(frame.node) or "")
        if form is None or not isinstance(frame.node, ast.Call):
            continue
        inner = context.frames[place + 1] if place + 1 < len(context.frames) else None
        if inner is not None and inner.function is not None:
            given = _in_time_order(_positional(inner.function), form)
            yield form, inner.module, inner.function, given


def _in_time_order(given: list[ast.arg], form: str) -> list[ast.arg]:
    """Put the time where the solver passes it: first for Diffrax, second for `odeint`."""
    if len(given) < 2:
        return given
    first, second, *rest = given
    late, early = (second, first) if form == "diffrax" else (first, second)
    is_swapped = late.arg in TIMES and early.arg not in TIMES
    return [second, first, *rest] if is_swapped else given


def swapped_fields(module: Module) -> Iterator[SwappedField]:
    """Name the vector fields of a file that take the time for the state, which may raise nothing.

    The state and the time often broadcast together.
    """
    for call in module.calls:
        path = module.dotted(call.func)
        form = "diffrax" if path in _TERMS else _SOLVES.get(path or "")
        if form is None or not call.args:
            continue
        if form == "diffrax" and path not in _TERMS:
            continue
        function = resolve(module, call.args[0], call)
        given = _positional(function) if function is not None else []
        expected = _in_time_order(given, form)
        if function is not None and expected != given:
            yield SwappedField(
                definition_place(module, function),
                _words(function, expected),
                form,
                module=module,
                node=function,
                expected=tuple(expected),
            )


# ---------------------------------------------------------------- trees


def _unflattens(module: Module, function: FunctionNode) -> bool:
    """Return whether a function rebuilds a registered class from its parts."""
    if name_of(function) == "tree_unflatten":
        return True
    for call in module.nodes:
        path = module.dotted(call.func) if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and (path or "").endswith(
            ("tree_util.register_pytree_node", "tree_util.register_pytree_with_keys")
        ):
            given = argument(call, 2, "unflatten_func")
            if given is not None and resolve(module, given, call) is function:
                return True
    return False


def _children_last(given: list[ast.arg]) -> list[ast.arg]:
    """Put the metadata before the children, where the names say which is which."""
    if len(given) != 2:
        return given
    first, second = given
    is_swapped = first.arg.startswith(CHILDREN) or second.arg.startswith(METADATA)
    is_right = first.arg.startswith(METADATA) or second.arg.startswith("child")
    return [second, first] if is_swapped and not is_right else given


# ---------------------------------------------------------------- fix


def library_order(found: InAnotherOrder) -> Drafts:
    """Write the parameters in the order of the library; certain where nothing else calls it."""
    name = name_of(found.function)
    modules = found.context.modules.values()
    calls = [c for m in modules for c in calls_to(m, name)] if name else []
    draft = _reordered(found.home, found.function, found.expected)
    yield draft if calls and name != "__call__" else draft.certain()


def time_where_passed(found: SwappedField) -> Drafts:
    """Write the time where the solver passes it."""
    yield _reordered(found.module, found.node, found.expected)


def _reordered(module: Module, function: FunctionNode, expected: tuple[ast.arg, ...]) -> Draft:
    draft = Draft(module)
    for parameter, other in zip(_positional(function), expected, strict=True):
        draft.replace(parameter, module.text(other))
    return draft


RULES = (
    Rule("parameters-in-another-order", raised(another_order, of_any_class=True), library_order),
    Rule("parameters-in-another-order", read(swapped_fields), time_where_passed),
)
