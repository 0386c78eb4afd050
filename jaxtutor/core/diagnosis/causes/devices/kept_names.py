"""Matches and fixes a second name for arrays that a later call donates."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct

from jaxtutor.core.diagnosis.causes.devices import device_call_fixes as fix
from jaxtutor.core.diagnosis.causes.devices import device_calls as match
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.names import last_name


class KeptName(AtFrame, frozen=True, kw_only=True):
    """A name that is read after its arrays were donated as `kept`."""

    kept: ast.expr
    module_of: Module


class _SecondName(Struct, frozen=True):
    """A target of an assignment that gets the arrays which `value` names too."""

    module: Module
    target: ast.expr
    value: ast.expr


def after_donation(context: FailureContext) -> AtFrame | None:
    """A buffer is read after it was donated or deleted, or is donated twice by one call."""
    return _kept_name(context) or match.use_after_donation(context)


def keep_arrays(found: AtFrame) -> Drafts:
    """Copy the arrays that are kept, or stop donating what is read later."""
    if isinstance(found, KeptName):
        draft = Draft(found.module_of)
        copied = f"{draft.name('jax.tree.map')}({draft.name('jax.numpy.copy')}, "
        yield draft.wrap(found.kept, copied, ")")
    yield from fix.keep_buffer(found)


def _kept_name(context: FailureContext) -> KeptName | None:
    if "has been deleted" not in context.message or context.frame is None:
        return None
    seconds = list(_second_names(context, _passed_paths(context)))
    for frame in reversed(context.frames):
        for name in _with_sources(context, _names_read(frame.node)):
            found = [second for second in seconds if last_name(second.target) == name]
            if len(found) == 1:
                module, target, value = found[0].module, found[0].target, found[0].value
                return KeptName(
                    module.location(module.statement(target) or target),
                    {"name": module.text(value), "argument": module.text(target)},
                    "kept",
                    context=context,
                    kept=value,
                    module_of=module,
                )
    return None


def _with_sources(context: FailureContext, names: Iterable[str]) -> Iterator[str]:
    """Yield names, and after each those whose value it was assigned: `best` of `w = best`."""
    for name in names:
        yield name
        for module in context.modules.values():
            for target, value in _assigned(module):
                if last_name(target) == name and path_of(value) is not None:
                    yield last_name(value)


def _names_read(node: ast.AST | None) -> Iterator[str]:
    """Yield the last part of each name and attribute that an expression reads."""
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.Name):
            yield part.id


def _assigned(module: Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the targets of assignments with their values: two of each in `a, b = x, y`."""
    for node in module.nodes:
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            yield from zip(target.elts, value.elts, strict=False)
        else:
            yield target, value


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


def _second_names(context: FailureContext, passed: set[str]) -> Iterator[_SecondName]:
    """Yield the assignments that give a second name to a part of what is passed on and replaced.

    Only those under a condition: without one, the newest arrays may be meant as well.
    """
    for module in context.modules.values():
        for target, value in _assigned(module):
            path = path_of(value)
            if path is None or not any(isinstance(it, ast.If) for it in module.ancestors(target)):
                continue
            if any(path == given or path.startswith(f"{given}.") for given in passed):
                yield _SecondName(module, target, value)


RULES = (Rule("use-after-donation", raised(after_donation), keep_arrays),)
