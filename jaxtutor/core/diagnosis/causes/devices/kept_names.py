"""Matches and fixes a second name for arrays that a later call donates."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.devices import device_call_fixes as fix
from jaxtutor.core.diagnosis.causes.devices import device_calls as match
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.names import last_name


class KeptName(AtFrame, frozen=True, kw_only=True):
    """A name that is read after the arrays were donated under another; `made` assigned it."""

    made: ast.Assign
    module_of: Module


def after_donation(context: FailureContext) -> AtFrame | None:
    """A buffer is read after it was donated or deleted, or is donated twice by one call."""
    return _kept_name(context) or match.use_after_donation(context)


def keep_arrays(found: AtFrame) -> Drafts:
    """Copy the arrays that are kept, or stop donating what is read later."""
    if isinstance(found, KeptName):
        draft = Draft(found.module_of)
        copied = f"{draft.name('jax.tree.map')}({draft.name('jax.numpy.copy')}, "
        yield draft.wrap(found.made.value, copied, ")")
    yield from fix.keep_buffer(found)


def _kept_name(context: FailureContext) -> KeptName | None:
    if "has been deleted" not in context.message or context.frame is None:
        return None
    passed = _passed_paths(context)
    for frame in reversed(context.frames):
        for name in _names_read(frame.node):
            found = [
                pair for pair in _second_names(context, passed) if _assigned_name(pair[1]) == name
            ]
            if len(found) == 1:
                module, made = found[0]
                facts = {"name": module.text(made.value), "argument": module.text(made.targets[0])}
                return KeptName(
                    module.location(made),
                    facts,
                    "kept",
                    context=context,
                    frame=context.frame,
                    made=made,
                    module_of=module,
                )
    return None


def _names_read(node: ast.AST | None) -> Iterator[str]:
    """Yield the last part of each name and attribute that an expression reads."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Name):
            yield part.id


def _assigned_name(made: ast.Assign) -> str:
    return last_name(made.targets[0])


def _passed_paths(context: FailureContext) -> set[str]:
    """Return the names that calls get and that the same statement assigns again."""
    found = set()
    for module in context.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                given = {path_of(a) for a in node.value.args} - {None}
                first = node.targets[0]
                parts = first.elts if isinstance(first, ast.Tuple) else [first]
                found |= {p for part in parts if (p := path_of(part)) is not None and p in given}
    return found


def _second_names(context: FailureContext, passed: set[str]) -> Iterator[tuple[Module, ast.Assign]]:
    """Yield the assignments that give a second name to a part of what is passed on and replaced.

    Only those under a condition: without one, the newest arrays may be meant as well.
    """
    for module in context.modules.values():
        for node in module.nodes:
            value = path_of(node.value) if isinstance(node, ast.Assign) else None
            if not isinstance(node, ast.Assign) or value is None:
                continue
            if not any(isinstance(outer, ast.If) for outer in module.ancestors(node)):
                continue
            if any(value == path or value.startswith(f"{path}.") for path in passed):
                yield module, node


RULES = (Rule("use-after-donation", raised(after_donation), keep_arrays),)
