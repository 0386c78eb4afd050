"""Matches and fixes a dict or tuple that is passed on to a function that works on an array."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.python.gradient_trees import (
    GradientTree,
    gradient_as_array,
    join_entries,
)
from jaxtutor.core.diagnosis.causes.python.indexed import Indexed, container_indexed, index_part
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, AtNode, at_node
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.reading.calls import method_of, passed_arguments

MOST_ENTRIES = 4
_MAKERS = ("init", "init_with_output", "lazy_init", "tabulate")


class Container(AtFrame, frozen=True, kw_only=True):
    """A container in the place of an array: the argument that passes it, and its entries."""

    argument: ast.expr
    entries: tuple[str, ...]


def container_for_array(context: FailureContext) -> Container | GradientTree | Indexed | None:
    """The shape, type or a method of an array is read from a dict or tuple that was passed on."""
    if (gradient := gradient_as_array(context)) is not None:
        return gradient
    if (indexed := container_indexed(context)) is not None:
        return indexed
    keys, trail = context.failure.keys, context.failure.trail
    kind = context.message.partition("'")[2].partition("'")[0]
    is_read = bool(context.failure.jax_frames) or isinstance(context.node, ast.Attribute)
    passed = _first_passed(context, trail) if is_read and len(trail) else None
    if passed is None or context.frame is None:
        return None
    frame, argument = passed
    name = frame.module.text(argument)
    if kind == "tuple" and keys:
        return _shape_tuple(context, frame, argument)
    entries = tuple(f"[{_quoted(key)}]" for key in keys) or ("[0]", "[1]")
    entries = _entries_left(frame, name, entries)[:MOST_ENTRIES]
    facts = {
        "name": name,
        "container": kind if kind in ("tuple", "list") else "dict",
        "argument": next(n for n in reversed(trail) if n),
        "condition": f"the keys {', '.join(f'`{key}`' for key in keys)}" if keys else "parts",
        "detail": " or ".join(f"`{name}{entry}`" for entry in entries),
    }
    place = frame.place(argument)
    return Container(
        place, facts, context=context, outer_frame=frame, argument=argument, entries=entries
    )


def _shape_tuple(context: FailureContext, frame: FrameContext, argument: ast.expr) -> Container:
    """Match a tuple of integers: a shape, where an array of that shape belongs."""
    name = frame.module.text(argument)
    inner = next(n for n in reversed(context.failure.trail) if n)
    facts = {"name": name, "argument": inner, "detail": f"jnp.ones({name})"}
    return Container(
        frame.place(argument),
        facts,
        "shape",
        context=context,
        outer_frame=frame,
        argument=argument,
        entries=(),
    )


def _first_passed(
    context: FailureContext, trail: tuple[str, ...]
) -> tuple[FrameContext, ast.expr] | None:
    """Return the outermost call on the way that passes the container, and its argument."""
    found = None
    for frame, name in reversed(list(zip(context.frames, trail, strict=True))):
        call = frame.node
        if found is None and isinstance(call, ast.Attribute):
            continue  # where the array was needed
        if not name or not isinstance(call, ast.Call):
            break
        given = passed_arguments(call)
        same = [a for a in given if frame.module.text(a) == name]
        if len(same) != 1:
            break
        found = frame, same[0]
        if _entries_read(frame, name):
            break  # this function uses it as a container
    return found


def _quoted(key: str) -> str:
    """Write a key with double quotes, as most programs do."""
    return f'"{key[1:-1]}"' if key.startswith("'") and '"' not in key else key


def _entries_read(frame: FrameContext, name: str) -> set[str]:
    """Return the entries that a function reads from a container itself."""
    scope = frame.function or frame.module.tree
    return {
        f"[{_quoted(frame.module.text(n.slice))}]"
        for n in ast.walk(scope)
        if isinstance(n, ast.Subscript) and getattr(n.value, "id", "") == name
    }


def _entries_left(frame: FrameContext, name: str, entries: tuple[str, ...]) -> tuple[str, ...]:
    """Return the entries that the function does not read itself, if there are any."""
    read = _entries_read(frame, name)
    return tuple(e for e in entries if e not in read) or entries


def pass_entry(found: Container) -> Drafts:
    """Pass one of the entries, or an array of a shape."""
    if found.form == "shape":
        draft, call = Draft(found.module), found.call
        if call is not None and method_of(call) in _MAKERS:
            draft.certain()  # only the shape and type of what it gets matter
        yield draft.wrap(found.argument, f"{draft.name('jax.numpy')}.ones(", ")")
    for entry in found.entries:
        draft = Draft(found.module).after(found.argument, entry)
        yield draft.certain() if len(found.entries) == 1 else draft


def tree_as_dict(context: FailureContext) -> AtNode | None:
    """A dict's method is called on an array, a list or a tuple."""
    found = at_node(context)
    if found is None or not isinstance(found.node, ast.Attribute):
        return None
    return replace(found, facts={"name": found.module.text(found.node.value)})


RULES = (
    Rule(
        "container-for-array",
        raised(container_for_array),
        by_match(pass_entry, index_part, join_entries),
    ),
    Rule("tree-taken-for-dict", raised(tree_as_dict)),
)
