"""Matches and fixes a method that is called on a class, where it needs an object."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module


class OnClass(AtCall, frozen=True, kw_only=True):
    """A call of a method on the class itself; `owner` names the class."""

    owner: ast.expr


def method_on_class(context: FailureContext) -> OnClass | None:
    """A method is called on the class, so its first argument is taken for the object."""
    call, signature = at_call(context), context.failure.signature
    func = call.node.func if call is not None else None
    if call is None or not isinstance(func, ast.Attribute) or signature[:1] != ("self",):
        return None
    first = call.node.args[0] if call.node.args else None
    owner = call.frame.dotted(func.value)
    fact = call.frame.fact(first)
    if call.frame.kind(func.value) != "class" or getattr(first, "id", "") in ("self", "cls"):
        return None
    if fact is not None and owner in fact.bases:
        return None
    name = call.module.text(func.value)
    facts = {
        "name": name,
        "function": func.attr,
        "argument": call.module.text(first) if first is not None else "nothing",
        "detail": f"({', '.join(signature[1:])})",
    }
    return OnClass(
        call.frame.place(call.node), facts, context=context, node=call.node, owner=func.value
    )


def make_object(found: OnClass) -> Drafts:
    """Call the method on an object that is made with the defaults of the class."""
    carry = _first_carry(found)
    yield carry or Draft(found.module).certain().after(found.owner, "()")


def _first_carry(found: OnClass) -> Draft | None:
    """Make a carry as linen does now; before 0.7, `initialize_carry` took the sizes on the class.

    The last size of the input shape is that of the features, which the carry does not depend on.
    """
    match found.node.args:
        case [_, batch, size] if _CELL.match(found.module.dotted(found.owner) or ""):
            module, draft = found.module, Draft(found.module)
        case _:
            return None
    sizes = [f"*{module.text(batch)}"]
    if isinstance(batch, ast.Tuple) and batch.elts:
        sizes = [module.text(n) for n in batch.elts]
    draft.after(found.owner, f"({module.text(size)}, parent=None)")
    draft.replace(_between(module, batch, size), tuple_text([*sizes, "1"]))
    return draft.certain()


_CELL = re.compile(r"flax\.linen\.\w+Cell$")


def _between(module: Module, first: ast.expr, last: ast.expr) -> Span:
    begin, end = module.span(first), module.span(last)
    return Span(begin.line, begin.column, end.end_line, end.end_column)


RULES = (Rule("method-called-on-class", raised(method_on_class), make_object),)
