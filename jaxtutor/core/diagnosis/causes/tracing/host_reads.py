"""Fixes loops that read a value of the device in each round, only to collect it."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import HostRead
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.observed.reads import host_read
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.patterns import first_match


def collect_arrays(found: Finding) -> Drafts:
    """Collect the array itself, where the number is appended or added up."""
    module, value = found.module, _array_read(found.module, found.node)
    if value is not None and _is_collected(module.parents.get(found.node)):
        yield Draft(module).replace(found.node, module.text(value))


def _is_collected(parent: ast.AST | None) -> bool:
    """Return whether a value goes into a list or a sum."""
    if isinstance(parent, ast.Call):
        return method_of(parent) == "append"
    return isinstance(parent, ast.AugAssign)


def _array_read(module: Module, node: ast.AST) -> ast.expr | None:
    """Return `x` of `float(x)`, `x.item()` and `jax.device_get(x)`."""
    read = first_match(module, node, "float($x)", "int($x)", "$x.item()", "jax.device_get($x)")
    return read["x"] if read is not None else None


RULES = (Rule("value-read-each-round", observed((HostRead, host_read)), collect_arrays),)
