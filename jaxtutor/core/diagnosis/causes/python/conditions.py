"""Matches and fixes predicates of cond and indices of switch."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import parameter_names


def predicate(context: FailureContext) -> AtCall | None:
    """The predicate of a cond is an array of several booleans, or a function."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.cond":
        return None
    given = argument(call.node, 0, "pred")
    facts = {"condition": call.module.text(given)} if given is not None else {}
    is_function = "<function" in context.message
    return replace(call, facts=facts, form="function" if is_function else "")


def where_for_cond(found: AtCall) -> Drafts:
    """Choose element by element with `jnp.where` between what the branches compute.

    A predicate that is a function is called with the operands.
    """
    call, module = found.node, found.module
    if found.form == "function":
        yield from _call_predicate(found)
        return
    if len(call.args) < 3 or call.keywords:
        return
    texts = [_branch_call(module, branch, call.args[3:]) for branch in call.args[1:3]]
    draft = Draft(module)
    where = draft.name("jax.numpy.where")
    yield draft.replace(call, f"{where}({module.text(call.args[0])}, {', '.join(texts)})")


def _call_predicate(found: AtCall) -> Drafts:
    given, operands = argument(found.node, 0, "pred"), found.node.args[3:]
    if given is not None and operands and not found.node.keywords:
        yield Draft(found.module).replace(given, _branch_call(found.module, given, operands))


def _branch_call(module: Module, branch: ast.expr, operands: list[ast.expr]) -> str:
    """Write the call of a branch with its operands; a lambda of those very names is its body."""
    given = [module.text(item) for item in operands]
    if isinstance(branch, ast.Lambda):
        names = parameter_names(branch)
        if names == given:
            return module.text(branch.body)
        return f"({module.text(branch)})({', '.join(given)})"
    return f"{module.text(branch)}({', '.join(given)})"


def index(context: FailureContext) -> AtCall | None:
    """The index of a switch is a boolean, a float or an array."""
    call = at_call(context)
    if call is None or call.path != "jax.lax.switch":
        return None
    given = argument(call.node, 0, "index")
    return replace(call, facts={"name": call.module.text(given)} if given is not None else {})


def integer_index(found: AtCall) -> Drafts:
    """Turn a boolean index into an integer."""
    given = argument(found.node, 0, "index")
    if given is not None and found.context.message.endswith("as bool"):
        draft = Draft(found.module)
        yield draft.wrap(given, f"{draft.name('jax.numpy.int32')}(", ")")


RULES = (
    Rule("cond-pred-not-scalar", raised(predicate), where_for_cond),
    Rule("switch-index-not-integer", raised(index), integer_index),
)
