"""Turns a compiled method into a static one that gets the attributes it reads as arguments."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.editing.expressions import fresh_name
from jaxtutor.core.diagnosis.engine.source import Definition, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import all_names


def pass_attributes(jit: AppliedTransform) -> Draft | None:
    """Pass what a method reads of `self` as arguments, at each of its calls.

    None if it stores an attribute, calls a method of its own class, or cannot be called otherwise.
    """
    module, method = jit.module, jit.function
    owner = module.parents.get(method) if method is not None else None
    if not isinstance(method, Definition) or not isinstance(owner, ast.ClassDef):
        return None
    given = parameters(method)
    reads = [n for n in ast.walk(method) if _is_attribute_of(n, given[0].arg)] if given else []
    names = list(dict.fromkeys(n.attr for n in reads if isinstance(n, ast.Attribute)))
    used = all_names(method) | {a.arg for a in given}
    own = {getattr(n, "name", "") for n in owner.body}
    whole = [n for n in ast.walk(method) if isinstance(n, ast.Name) and n.id == given[0].arg]
    if not names or len(whole) != len(reads) or set(names) & own:
        return None
    if any(not isinstance(n.ctx, ast.Load) for n in reads if isinstance(n, ast.Attribute)):
        return None
    new = {n: n if n not in used else fresh_name(module, f"own_{n}") for n in names}
    return _rewritten(module, method, new, reads)


def _is_attribute_of(node: ast.AST, name: str) -> bool:
    """Return whether a node is an attribute of a plain name."""
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == name


def _rewritten(
    module: Module, method: Definition, names: dict[str, str], reads: list[ast.AST]
) -> Draft | None:
    calls = [n for n in module.calls if method_of(n) == method.name]
    owners = [path_of(getattr(c.func, "value", None)) for c in calls]
    if not calls or None in owners:
        return None
    draft = Draft(module).certain()
    first = method.decorator_list[0]
    line = module.span(first).line
    indent = module.lines[line - 1][: module.span(first).column - 1]
    draft.add_lines(line, f"{indent}@staticmethod")
    draft.replace(parameters(method)[0], ", ".join(names.values()))
    for read in reads:
        draft.replace(read, names[getattr(read, "attr", "")])
    for call, holder in zip(calls, owners, strict=True):
        text = ", ".join(f"{holder}.{name}" for name in names)
        begin = [*call.args, *call.keywords]
        if begin:
            draft.before(begin[0], f"{text}, ")
        else:
            draft.replace(call, f"{module.text(call.func)}({text})")
    return draft
