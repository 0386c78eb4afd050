"""Matches and fixes vector fields that read parameters from outside, under an adjoint method."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, names_in
from jaxtutor.core.diagnosis.engine.transforms import definition_place, name_of, resolve
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import bound_value

_FIELD = 3
"""How many parameters a vector field has: the time, the state and the arguments."""


class ClosedOver(AtCall, frozen=True, kw_only=True):
    """A solve whose vector field reads `names` of the function around it."""

    field: Definition | ast.Lambda
    names: tuple[str, ...]


def closed_over(context: FailureContext) -> ClosedOver | None:
    """A vector field reads values from outside, and the adjoint method does not see them."""
    call = at_call(context)
    if call is None or not call.path.endswith("diffeqsolve"):
        return None
    field = _field_of(call)
    outer = call.module.function(call.node)
    if field is None or outer is None or not isinstance(field, Definition | ast.Lambda):
        return None
    names = tuple(sorted(_free_names(field, outer)))
    if not names:
        return None
    written = names[0] if len(names) == 1 else f"({', '.join(names)})"
    facts = {
        "name": ", ".join(f"`{name}`" for name in names),
        "function": name_of(field),
        "argument": f"args={written}",
        "container": call.module.text(call.node.func),
    }
    return ClosedOver(
        definition_place(call.module, field),
        facts,
        context=context,
        node=call.node,
        field=field,
        names=names,
    )


def _field_of(call: AtCall) -> FunctionNode | None:
    """Return the function that the term of a solve was made from."""
    term = argument(call.node, 0, "terms")
    made = bound_value(call.module, term) if term is not None else None
    if not isinstance(made, ast.Call) or not made.args:
        return None
    return resolve(call.module, made.args[0], call.node)


def _free_names(field: FunctionNode, outer: FunctionNode) -> set[str]:
    """Return what a function reads of the parameters of the function around it."""
    if field not in ast.walk(outer):
        return set()
    own = set(parameter_names(field))
    body = [field.body] if isinstance(field, ast.Lambda) else field.body
    read = {name for node in body for name in names_in(node)} - own
    return read & set(parameter_names(outer))


def pass_by_args(found: ClosedOver) -> Drafts:
    """Pass the one value through `args`, whose parameter takes its name."""
    given = parameters(found.field)
    body = [found.field.body] if isinstance(found.field, ast.Lambda) else found.field.body
    is_free = len(given) == _FIELD and not any(given[-1].arg in names_in(n) for n in body)
    if len(found.names) == 1 and is_free and keyword_of(found.node, "args") is None:
        draft = Draft(found.module).certain().replace(given[-1], found.names[0])
        yield add_argument(draft, found.node, found.facts["argument"])


RULES = (Rule("adjoint-closes-over-value", raised(closed_over), pass_by_args),)
