"""Fixes containers of which a compiled function reads single entries: passes the entries alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.tracing.static_arguments import AtJit
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.static_arguments import decorate
from jaxtutor.core.diagnosis.engine.source import Definition, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform
from jaxtutor.core.diagnosis.reading.calls import argument_for, is_call_of, keyword_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import all_names

_ITEM = re.compile(r"(\w+)\['(\w+)'\]")


def pass_entries(found: AtJit) -> Drafts:
    """Leave an entry away that the function does not read, or pass each that it reads by itself."""
    jit = found.jit
    name = re.split(r"[.\[]", found.argument, maxsplit=1)[0]
    if jit is None or not isinstance(jit.function, Definition):
        return
    uses = sorted(_entry_uses(jit.function, name), key=lambda use: _source_position(use[0]))
    reads = dict(uses)
    item = _ITEM.fullmatch(found.argument)
    if not reads or None in reads.values():
        return
    if item is not None and item[2] not in reads.values():
        yield _without(found, jit.function, name, list(dict.fromkeys(reads.values())))
    elif found.form == "unhashable" or item is not None:
        yield _as_arguments(jit, jit.function, name, reads)


def _source_position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _entry_uses(function: Definition, name: str) -> Iterator[tuple[ast.AST, str | None]]:
    """Yield each use of a container with the entry that it reads; None for any other use."""
    parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name:
            outer = parents.get(node)
            is_read = isinstance(getattr(outer, "ctx", None), ast.Load)
            yield (outer, _entry(outer)) if outer is not None and is_read else (node, None)


def _entry(node: ast.AST) -> str | None:
    """Return the entry that `args.name` or `config["name"]` reads."""
    match node:
        case ast.Attribute(attr=entry):
            return entry
        case ast.Subscript(slice=ast.Constant(value=str(entry))):
            return entry
    return None


def _without(
    found: AtJit, function: Definition, name: str, entries: list[str | None]
) -> Draft | None:
    """Pass a dict of the entries that are read, in the call that raised."""
    frame, call = found.context.frame, found.context.call
    given = argument_for(function, call, name) if call is not None else None
    if frame is None or given is None or path_of(given) is None:
        return None
    text = frame.module.text(given)
    inside = ", ".join(f'"{entry}": {text}["{entry}"]' for entry in entries)
    return Draft(frame.module).replace(given, f"{{{inside}}}")


def _as_arguments(
    jit: AppliedTransform, function: Definition, name: str, reads: dict[ast.AST, str | None]
) -> Draft | None:
    """Replace a parameter by one for each entry that the function reads, and make these static."""
    module = jit.module
    entries = list(dict.fromkeys(str(entry) for entry in reads.values()))
    bound = all_names(function)
    bound |= set(parameter_names(function))
    declared = next((a for a in parameters(function) if a.arg == name), None)
    is_taken = any(entry in bound or not entry.isidentifier() for entry in entries)
    calls = [n for n in module.calls if is_call_of(n, function.name)]
    if declared is None or is_taken or not calls or not _is_decorator(jit, function):
        return None
    listed = ", ".join(f'"{entry}"' for entry in entries)
    names = f'"{entries[0]}"' if len(entries) == 1 else f"({listed})"
    draft = decorate(Draft(module), jit, f"static_argnames={names}")
    draft.replace(declared, ", ".join(entries))
    for read, entry in reads.items():
        draft.replace(read, str(entry))
    for call in calls:
        if not _pass(draft, module, call, function, name, reads):
            return None
    return draft


def _pass(
    draft: Draft,
    module: Module,
    call: ast.Call,
    function: Definition,
    name: str,
    reads: dict[ast.AST, str | None],
) -> bool:
    """Write the entries in the place of the container; return False if it has no name there."""
    given = argument_for(function, call, name)
    if given is None or path_of(given) is None:
        return False
    keyword, text = keyword_of(call, name), module.text(given)
    fields = {entry for read, entry in reads.items() if isinstance(read, ast.Attribute)}
    entries = dict.fromkeys(reads.values())
    values = {e: f"{text}.{e}" if e in fields else f'{text}["{e}"]' for e in entries}
    if keyword is None:
        draft.replace(given, ", ".join(values.values()))
    else:
        draft.replace(keyword, ", ".join(f"{entry}={value}" for entry, value in values.items()))
    return True


def _is_decorator(jit: AppliedTransform, function: Definition) -> bool:
    """Return whether a jit is a decorator without options."""
    return jit.call is None and jit.node in function.decorator_list
