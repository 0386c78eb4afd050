"""Fixes bodies and branches that return a tuple where an object of a class is wanted."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.loops.loops import InLoop
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.engine.source import Module, bound_names
from jaxtutor.core.diagnosis.engine.transforms import same_call
from jaxtutor.core.diagnosis.engine.value_origins import fields_of
from jaxtutor.core.diagnosis.reading.functions import result_of
from jaxtutor.core.diagnosis.reading.names import last_name


def make_objects(found: InLoop, name: str) -> Iterator[Draft]:
    """Make an object of the named class from each tuple that is returned with as many parts."""
    named, loop = found.context.class_named(name), found.loop
    if named is None or loop is None or not _is_known(loop.module, name):
        return
    _, made = named
    for value in _tuples(found):
        if len(value.elts) == len(fields_of(made)):
            parts = ", ".join(loop.module.text(part) for part in value.elts)
            draft = Draft(loop.module).replace(value, f"{name}({parts})")
            yield draft.certain() if _is_named_tuple(made) else draft


def _tuples(found: InLoop) -> Iterator[ast.Tuple]:
    assert found.loop is not None
    functions = same_call(found.loop) if found.loop.kind in ("cond", "switch") else [found.function]
    for function in functions:
        value = result_of(function) if function is not None else None
        if found.loop.kind == "scan" and isinstance(value, ast.Tuple):
            value = value.elts[0]
        if isinstance(value, ast.Tuple):
            yield value


def _is_known(module: Module, name: str) -> bool:
    imports = (s for s in module.tree.body if isinstance(s, ast.ImportFrom))
    imported = {alias.asname or alias.name for s in imports for alias in s.names}
    return name in imported or any(name in bound_names(s) for s in module.tree.body)


def _is_named_tuple(made: ast.ClassDef) -> bool:
    return any(last_name(base) == "NamedTuple" for base in made.bases)
