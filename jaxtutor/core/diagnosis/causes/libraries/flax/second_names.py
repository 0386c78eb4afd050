"""Finds second names of NNX modules where a copy is meant: a target network, the best model."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, passed_arguments
from jaxtutor.core.diagnosis.reading.loops import Loop
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_BASES = ("flax.nnx.Module", "flax.nnx.Sequential")


class SecondName(Finding, frozen=True, kw_only=True):
    """A second name for the module `source`, or for its state."""

    source: ast.Name


def read_second_names(module: Module) -> Iterator[SecondName]:
    """Yield each `target = online` after which both names are used as if there were two models."""
    if not any(path.startswith("flax") for path in module.imports.values()):
        return
    for node in module.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                source, form = _module_named(module, value)
            case _:
                continue
        if source is None or source.id == name or not _is_trained(module, source.id):
            continue
        is_snapshot = _is_snapshot(module, node, name, source)
        if is_snapshot or (not form and _are_used_together(module, node, name, source.id)):
            facts = {"name": name, "argument": source.id}
            yield SecondName(None, facts, form, module=module, node=value, source=source)


def _module_named(module: Module, value: ast.expr) -> tuple[ast.Name | None, str]:
    """Return the name of the module of NNX that a value is, or whose state it is."""
    form = ""
    if isinstance(value, ast.Call) and module.dotted(value.func) == "flax.nnx.state":
        value, form = value.args[0] if value.args else value, "state"
    made = bound_value(module, value)
    if not isinstance(value, ast.Name) or not isinstance(made, ast.Call):
        return None, form
    path = module.dotted(made.func) or ""
    classes = [n for n in module.nodes if isinstance(n, ast.ClassDef)]
    modules = [c.name for c in classes if any(module.dotted(b) in _BASES for b in c.bases)]
    is_layer = path.startswith("flax.nnx.") and last_part(path)[:1].isupper()
    is_module = is_layer or path_of(made.func) in modules
    return (value if is_module else None), form


def _is_trained(module: Module, name: str) -> bool:
    """Return whether an optimizer of NNX is made for a module."""
    made = list(calls_of(module, "flax.nnx.Optimizer"))
    return any(getattr(argument(c, 0, "model"), "id", "") == name for c in made)


def _are_used_together(module: Module, node: ast.Assign, name: str, source: str) -> bool:
    """Return whether one call gets both names, or copies the state of one to the other."""
    for call in own_nodes(module.scope(node)):
        if not isinstance(call, ast.Call) or call.lineno <= node.lineno:
            continue
        given = passed_arguments(call)
        states = [
            g.args[0]
            for g in given
            if isinstance(g, ast.Call) and module.dotted(g.func) == "flax.nnx.state" and g.args
        ]
        names = {n.id for n in (*given, *states) if isinstance(n, ast.Name)}
        if {name, source} <= names:
            return True
    return False


def _is_snapshot(module: Module, node: ast.Assign, name: str, source: ast.Name) -> bool:
    """Return whether a branch in a loop keeps the module that the loop goes on to train."""
    outer = list(module.ancestors(node))
    loops = [n for n in outer if isinstance(n, Loop)]
    if not loops or not any(isinstance(n, ast.If) for n in outer):
        return False
    if any(source.id in bound_names(n) for n in ast.walk(loops[-1])):
        return False
    last = loops[-1].end_lineno or 0
    names = [n for n in own_nodes(module.scope(node)) if isinstance(n, ast.Name)]
    return any(n.id == name and isinstance(n.ctx, ast.Load) and n.lineno > last for n in names)


def copy_module(found: SecondName) -> Drafts:
    """Make the second name a copy."""
    draft = Draft(found.module).certain()
    yield draft.wrap(found.source, f"{draft.name('flax.nnx.clone')}(", ")")


RULES = (Rule("second-name-for-module", read(read_second_names), copy_module),)
