"""Matches and fixes methods that put a registered class together without being class methods."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import definition_place
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters

_MISSING = re.compile(r"(?:(\w+)\.)?tree_unflatten\(\) missing 1 required positional argument")


class PlainMethod(InContext, frozen=True, kw_only=True):
    """A method `tree_unflatten`, in the file `home`, that is not a class method."""

    home: Module
    method: ast.FunctionDef


def not_a_classmethod(context: FailureContext) -> PlainMethod | None:
    """JAX calls `tree_unflatten` on the class, and it is a method of its objects."""
    said = _MISSING.search(context.message)
    owner = said[1] if said is not None else None
    for module in context.modules.values():
        for node in module.nodes:
            if not isinstance(node, ast.ClassDef) or owner not in (None, node.name):
                continue
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and _is_plain_unflatten(method):
                    names = parameter_names(method)
                    facts = {"name": node.name, "argument": names[0], "condition": names[1]}
                    place = definition_place(module, method)
                    return PlainMethod(place, facts, context=context, home=module, method=method)
    return None


def _is_plain_unflatten(method: ast.FunctionDef) -> bool:
    is_named = method.name == "tree_unflatten"
    return is_named and not method.decorator_list and len(parameters(method)) == 3


def as_classmethod(found: PlainMethod) -> Drafts:
    """Decorate the method; JAX calls it in no other way."""
    indent = indent_of(found.home, found.method)
    line = found.home.span(found.method).line
    yield Draft(found.home).certain().add_lines(line, f"{indent}@classmethod")


RULES = (Rule("unflatten-not-classmethod", raised(not_a_classmethod), as_classmethod),)
