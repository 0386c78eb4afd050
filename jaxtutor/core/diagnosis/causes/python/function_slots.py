"""Matches and fixes values that are passed where JAX takes a function."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.python.call_signatures import (
    FUNCTION_POSITIONS,
    SIGNATURES,
    is_function,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import swap_nodes
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import elements_or_itself

DERIVATIVES = frozenset(
    {"jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian"}
)


class ValueForFunction(AtCall, frozen=True, kw_only=True):
    """A call with a value where a function belongs; `values` are those values."""

    values: tuple[ast.expr, ...]


def not_callable(context: FailureContext) -> ValueForFunction | None:
    """A value is passed where a loop, a branching or a transformation takes a function."""
    call = at_call(context)
    is_swapped = call is not None and call.path in SIGNATURES and is_function_as_data(context)
    if call is None or not (_says_callable(context, call) or is_swapped):
        return None
    names = SIGNATURES.get(call.path, ("function", "..."))
    values = tuple(v for v in _expected(call) if not is_function(call.frame, v))
    values = values or _unlisted(call)
    if not values:
        return None
    facts = {
        "name": call.module.text(values[0]),
        "argument": f"{call.path}({', '.join(names)})",
        "function": call.path,
    }
    made, form = values[0], ""
    if call.path == "optax.inject_hyperparams" and isinstance(made, ast.Call):
        form, wrapper = "factory", call.module.text(call.node.func)
        given = ", ".join(map(call.module.text, (*made.args, *made.keywords)))
        facts["argument"] = f"{wrapper}({call.module.text(made.func)})({given})"
    return ValueForFunction(None, facts, form, context=context, node=call.node, values=values)


def _says_callable(context: FailureContext, call: AtCall) -> bool:
    is_branches = call.path == "jax.lax.switch" and "object is not iterable" in context.message
    return is_branches or "callable" in context.message


def is_function_as_data(context: FailureContext) -> bool:
    """Return whether a function was taken as the data of a loop: its arguments are swapped."""
    said = re.search(r"of type '?<class '([^']*)'>'? is not a valid JAX type", context.message)
    return said is not None and last_part(said[1]).lower() in ("function", "pjitfunction")


def _expected(call: AtCall) -> list[ast.expr]:
    """List the arguments that should be functions; a list of branches stands for its items."""
    found: list[ast.expr] = []
    for position in FUNCTION_POSITIONS.get(call.path, (0,)):
        if position < len(call.node.args):
            given = call.node.args[position]
            found += elements_or_itself(given)
    return found


def _unlisted(call: AtCall) -> tuple[ast.expr, ...]:
    """Return the first branch of a switch whose branches do not stand in a list."""
    given = argument(call.node, 1, "branches") if call.path == "jax.lax.switch" else None
    is_one = given is not None and is_function(call.frame, given)
    return (given,) if given is not None and is_one else ()


def pass_functions(found: ValueForFunction) -> Drafts:
    """Wrap values in functions, put branches into a list, or put the function first."""
    call, module = found.node, found.module
    if found.form == "factory":
        yield Draft(module).certain().replace(call, found.facts["argument"])
        return
    if (
        found.path == "jax.lax.map"
        and len(call.args) == 2
        and is_function(found.frame, call.args[1])
    ):
        yield swap_nodes(module, call.args[0], call.args[1]).certain()
    if found.path == "jax.lax.switch":
        yield _branches_in_list(found)
    if found.path in DERIVATIVES:
        yield _derivative_of_function(found)
    is_branching = found.path in ("jax.lax.cond", "jax.lax.switch")
    if is_branching and "callable" in found.context.message and len(call.args) >= 2:
        draft, start = Draft(module), "lambda *_: " if _has_operands(found) else "lambda: "
        for value in found.values:
            draft.wrap(value, start, "")
        yield draft.certain()


def _derivative_of_function(found: ValueForFunction) -> Draft | None:
    """Write `jax.grad(f(x))` as `jax.grad(f)(x)`, or `jax.grad(f(x))(y)` as `jax.grad(f)(y)`."""
    module, value = found.module, found.values[0]
    if not isinstance(value, ast.Call) or not is_function(found.frame, value.func):
        return None
    draft = Draft(module).replace(value, module.text(value.func))
    outer = module.parents.get(found.node)
    if not (isinstance(outer, ast.Call) and outer.func is found.node):
        given = ", ".join(map(module.text, (*value.args, *value.keywords)))
        draft = draft.after(found.node, f"({given})")
    return draft.certain()


def _has_operands(found: ValueForFunction) -> bool:
    return len(found.node.args) > (3 if found.path == "jax.lax.cond" else 2)


def _branches_in_list(found: ValueForFunction) -> Draft | None:
    """Put the functions that follow the index of a switch into one list."""
    call, module = found.node, found.module
    branches = []
    for item in call.args[1:]:
        if not is_function(found.frame, item):
            break
        branches.append(item)
    if not branches or isinstance(call.args[1], ast.List | ast.Tuple):
        return None
    draft = Draft(module).before(branches[0], "[")
    return draft.after(branches[-1], "]").certain()
