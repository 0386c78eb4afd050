"""Matches and fixes keys of a dict that are read like attributes."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, own_nodes, path_of
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.library_calls import given_values

_RESTORING = ("restore", "restore_checkpoint", "from_bytes", "msgpack_restore", "load_pytree")

_OF_TRAIN_STATE = frozenset({"'params'", "'opt_state'", "'step'"})
"""Keys of the dict that a train state of Flax is in a checkpoint."""


class KeyAsAttribute(AtFrame, frozen=True, kw_only=True):
    """An attribute of a dict that has a key of that name."""

    node: ast.Attribute
    empty: ast.Call | None = None  # the `StandardRestore()` that was given no object to fill


def key_as_attribute(context: FailureContext) -> KeyAsAttribute | None:
    """An attribute is read from a dict, and the dict has a key of that name."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Attribute):
        return None
    if repr(node.attr) not in context.failure.keys:
        return None
    holder = frame.module.text(node.value)
    given = given_values(context, frame, node.value)
    restoring = [value for value in given if method_of(value) in _RESTORING]
    is_restored = bool(restoring)
    is_restored = is_restored or set(context.failure.keys) >= _OF_TRAIN_STATE
    facts = {"name": holder, "argument": f'{holder}["{node.attr}"]', "detail": node.attr}
    form = "restored" if is_restored else ""
    empty = _restored_empty(context)
    return KeyAsAttribute(None, facts, form, context=context, node=node, empty=empty)


def _restored_empty(context: FailureContext) -> ast.Call | None:
    """Return the only `StandardRestore()` whose result takes the name of a state made before."""
    found = [
        node
        for module in context.modules.values()
        for node in module.calls
        if method_of(node) == "StandardRestore"
        if not node.args and not node.keywords and _reassigned_name(module, node) is not None
    ]
    return found[0] if len(found) == 1 else None


def _reassigned_name(module: Module, call: ast.Call) -> str | None:
    """Return the name that a statement assigns, if a call gave that name its value before."""
    statement = module.statement(call)
    name = path_of(statement.targets[0]) if isinstance(statement, ast.Assign) else None
    before = [
        s
        for s in (module.assignments(name, module.scope(call)) if name is not None else [])
        if s.lineno < call.lineno and isinstance(s, ast.Assign) and isinstance(s.value, ast.Call)
    ]
    return name if before else None


def read_key(found: KeyAsAttribute) -> Drafts:
    """Read every key of the dict that the function reads like an attribute by its key.

    A checkpoint that replaces a state is restored as an object like that state.
    """
    for module in found.context.modules.values() if found.empty is not None else ():
        if found.empty in module.parents and found.form == "restored":
            name = _reassigned_name(module, found.empty) or ""
            yield add_argument(Draft(module).certain(), found.empty, name)
            return
    path = path_of(found.node.value)
    keys = {key.strip("'") for key in found.context.failure.keys}
    scope = found.frame.function or found.module.tree
    draft = Draft(found.module).certain()
    for node in own_nodes(scope):
        is_same = node is found.node or (path is not None and _holder(node) == path)
        if is_same and isinstance(node, ast.Attribute) and node.attr in keys:
            draft.replace(node, f'{found.module.text(node.value)}["{node.attr}"]')
    yield draft


def _holder(node: ast.AST) -> str | None:
    """Return the path of what an attribute is read from."""
    return path_of(node.value) if isinstance(node, ast.Attribute) else None


RULES = (Rule("key-read-as-attribute", raised(key_as_attribute), read_key),)
