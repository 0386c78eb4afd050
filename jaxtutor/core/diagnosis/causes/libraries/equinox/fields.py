"""Matches and fixes attributes without a field, set by `__init__` of a module of Equinox."""

from __future__ import annotations

import ast
import difflib

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.functions import declared_fields
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of


class Undeclared(AtFrame, frozen=True, kw_only=True):
    """An attribute that is set without a field; `meant` is the field that was meant, if any."""

    owner: ast.ClassDef
    name: str
    meant: str
    value: ast.expr | None


def undeclared(context: FailureContext) -> Undeclared | None:
    """`__init__` of a module of Equinox sets an attribute that the class does not declare."""
    frame = context.frame
    target = frame.node if frame is not None else None
    if frame is None or not isinstance(target, ast.Attribute):
        return None
    owner = frame.module.parents.get(frame.function) if frame.function is not None else None
    is_init = getattr(frame.function, "name", "") == "__init__" and isinstance(owner, ast.ClassDef)
    if not is_init or not is_module_of("equinox", frame, target.value):
        return None
    assert isinstance(owner, ast.ClassDef)
    fields = declared_fields(owner)
    if target.attr in fields:
        return None
    unset = [name for name in fields if name not in _set_in(frame.function)]
    close = difflib.get_close_matches(target.attr, unset, 1, 0.6)
    facts = {"name": target.attr, "container": owner.name, "argument": close[0] if close else ""}
    statement = frame.statement
    return Undeclared(
        None,
        facts,
        "misspelt" if close else "",
        context=context,
        owner=owner,
        name=target.attr,
        meant=close[0] if close else "",
        value=statement.value if isinstance(statement, ast.Assign) else None,
    )


def _set_in(function: ast.AST | None) -> set[str]:
    """List the attributes of `self` that a function sets."""
    nodes = ast.walk(function) if function is not None else ()
    stored = [n for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    return {n.attr for n in stored if path_of(n.value) == "self"}


def declare(found: Undeclared) -> Drafts:
    """Write the field that was meant, everywhere in the class, or declare this one as well."""
    if found.meant:
        draft = Draft(found.module).certain()
        for node in ast.walk(found.owner):
            if isinstance(node, ast.Attribute) and path_of(node) == f"self.{found.name}":
                draft.replace(node, f"self.{found.meant}")
        yield draft
        return
    draft = Draft(found.module).certain()
    annotation = _annotation(found, draft)
    declared = [n for n in found.owner.body if isinstance(n, ast.AnnAssign)]
    line = f"    {found.name}: {annotation}"
    indented = " " * found.owner.col_offset + line
    if declared:
        yield draft.lines_after(declared[-1], indented)
    else:
        yield draft.add_lines(_first_line(found.module, found.owner), indented + "\n")


def _first_line(module: Module, owner: ast.ClassDef) -> int:
    """Return the line of a class's first statement after its docstring."""
    body = owner.body
    is_text = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    if is_text:
        return module.span(body[0]).end_line + 1
    decorators: list[ast.expr] = getattr(body[0], "decorator_list", [])
    return min([body[0].lineno, *(d.lineno for d in decorators)])


def _annotation(found: Undeclared, draft: Draft) -> str:
    """Write the type of the field: of a layer its class, of a list `list`, else an array."""
    value = found.value
    if isinstance(value, ast.List | ast.ListComp):
        return "list"
    if isinstance(value, ast.Constant):
        return type(value.value).__name__
    fact = found.frame.fact(value)
    if fact is not None and fact.kind == "number":
        return fact.detail
    path = found.frame.callee(value) or ""
    if isinstance(value, ast.Call) and path.startswith("equinox.nn."):
        return found.module.text(value.func)
    if isinstance(value, ast.Call) and path.startswith("jax."):
        return draft.name("jax.Array")
    typing_any = next((a for a, p in found.module.imports.items() if p == "typing.Any"), None)
    return typing_any or "object"


RULES = (Rule("field-not-declared", raised(undeclared), declare),)
