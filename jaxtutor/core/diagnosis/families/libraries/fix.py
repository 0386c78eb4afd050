"""Mends calls of Optax, NumPyro and Haiku, and assignments to frozen objects."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.families.libraries.match import (
    AtUpdate,
    FrozenAssignment,
    ParamsMissing,
    WithoutKeyArgument,
)
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rules import Drafts


def right_order(found: AtUpdate) -> Drafts:
    """Put the state second, where it takes the place of what stood there."""
    if found.state is None:
        if found.name:
            yield Draft(found.module).certain().before(found.node.args[1], f"{found.name}, ")
        return
    args, module = found.node.args, found.module
    first, second = args[1], args[found.state]
    draft = Draft(module).certain().replace(first, module.text(second))
    yield draft.replace(second, module.text(first))


def pass_params(found: ParamsMissing) -> Drafts:
    """Pass the parameters that the optimizer was initialised with."""
    if found.params:
        yield add_argument(Draft(found.module).certain(), found.node, found.params)


def insert_key(found: WithoutKeyArgument) -> Drafts:
    """Insert a key at the position where the library expects it."""
    call = found.call
    if call is None or found.form == "handler":
        return
    if found.form == "haiku":
        if call.args:
            yield Draft(found.module).certain().after(call.args[0], ", None")
        return
    draft = Draft(found.module)
    key = f"{draft.name('jax.random.PRNGKey')}(0)"
    if call.args:
        yield draft.before(call.args[0], f"{key}, ")
    else:
        yield add_argument(draft, call, f"{_name_of_key(found)}={key}")


def _name_of_key(found: WithoutKeyArgument) -> str:
    names = ("rng_key", "key")
    return next((n for n in names if f"'{n}'" in found.context.message), "rng_key")


def changed_copy(found: FrozenAssignment) -> Drafts:
    """Replace the attribute in a copy, where the object is a plain name and not self."""
    statement, owner = found.frame.statement, found.target.value
    is_name = isinstance(owner, ast.Name) and owner.id != "self"
    if not is_name or found.form or not isinstance(statement, ast.Assign):
        return
    if len(statement.targets) == 1 and found.context.error == "FrozenInstanceError":
        module = found.module
        name, value = module.text(owner), module.text(statement.value)
        text = f"{name} = {name}.replace({found.target.attr}={value})"
        yield Draft(module).replace(statement, text)
