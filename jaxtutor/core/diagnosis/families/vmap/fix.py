"""Owns the mending of vmap: which argument is mapped along which axis, and what a body sees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.reading import is_number, parameters
from jaxtutor.core.diagnosis.rewriting.expressions import add_argument
from jaxtutor.core.diagnosis.rewriting.site import Fixer, FixSite
from jaxtutor.core.diagnosis.rules import Drafts
from jaxtutor.core.diagnosis.source import Module
from jaxtutor.core.diagnosis.transforms import AppliedTransform, applied, find


def _vmap(site: FixSite) -> AppliedTransform | None:
    if site.context is None:
        return None
    for frame in reversed(site.context.frames):
        found = (
            find(site.context, "vmap", "pmap", at=frame.node) if frame.node is not None else None
        )
        if found is not None:
            return found
    module = site.module
    here = [a for a in applied(module) if a.node is site.node] if module is not None else []
    return here[0] if here else None


def _shape(frame: FrameContext, node: ast.expr) -> tuple[int, ...] | None:
    """Read the shape of an argument, where it is known."""
    if is_number(node):
        return ()
    fact = frame.fact(node)
    if fact is None:
        return None
    if fact.kind == "number":
        return ()
    found = re.search(r"\[([\d,]*)\]", fact.detail)
    if found is None:
        return None
    return tuple(int(part) for part in found[1].split(",") if part)


def _in_axes(item: AppliedTransform, axes: list[int | None]) -> Draft | None:
    if all(axis is None for axis in axes):
        return None
    draft = Draft(item.module)
    comma = "," if len(axes) == 1 else ""
    text = f"({', '.join(map(str, axes))}{comma})"
    if item.call is None:
        name = draft.name("functools.partial")
        return draft.replace(item.node, f"{name}({item.module.text(item.node)}, in_axes={text})")
    option = item.option("in_axes")
    if option is not None:
        return draft.replace(option, text)
    given = item.call.args
    if len(given) > 1:
        return draft.replace(given[1], text)
    return add_argument(draft, item.call, f"in_axes={text}")


def mapped_axes(site: FixSite) -> Drafts:
    """Each argument is mapped along the axis that has the size of the batch, or not at all."""
    item, found = _vmap(site), site.call()
    if item is None or found is None:
        return
    frame, call = found
    shapes = _shapes(site, frame, call)
    trees = ("dict", "list", "tuple", "other")
    shapes = [
        () if shape is None and frame.kind(given) in trees else shape
        for shape, given in zip(shapes, call.args, strict=True)
    ]
    known = [s for s in shapes if s]
    if len(known) == 0 or any(s is None for s in shapes):
        return
    sizes = dict.fromkeys(s[0] for s in known)
    votes = sorted(sizes, key=lambda size: -sum(size == s[0] for s in known))
    for batch in dict.fromkeys([*([known[0][0]] if len(votes) == len(known) else []), *votes]):
        yield _in_axes(item, [_axis(s or (), batch) for s in shapes])


def _shapes(site: FixSite, frame: FrameContext, call: ast.Call) -> list[tuple[int, ...] | None]:
    """List the shapes of a call's arguments, also by what JAX's message says of them."""
    shapes = [_shape(frame, a) for a in call.args]
    said = re.findall(r"argument (?:(\w+)|args\[(\d+)\]) of type \w+\[([\d,]*)\]", site.message)
    function = None
    item = _vmap(site)
    if item is not None:
        function = item.function
    names = [a.arg for a in parameters(function)]
    for name, number, dims in said:
        position = int(number) if number else names.index(name) if name in names else -1
        if 0 <= position < len(shapes) and shapes[position] is None:
            shapes[position] = tuple(int(part) for part in dims.split(",") if part)
    return shapes


def _axis(shape: tuple[int, ...], batch: int) -> int | None:
    if shape and shape[0] == batch:
        return 0
    return next((n for n, size in enumerate(shape) if size == batch), None)


def not_an_array(site: FixSite) -> Drafts:
    """A number is shared by the batch: its in_axes is None."""
    item, found = _vmap(site), site.call()
    if item is None or found is None:
        return
    frame, call = found
    if call.keywords:
        yield from positional(site)
    shapes = [_shape(frame, a) for a in call.args]
    axes: list[int | None] = [None if shape == () else 0 for shape in shapes]
    if None in axes:
        yield _in_axes(item, axes)
    unknown = [n for n, shape in enumerate(shapes) if shape is None]
    for position in unknown:
        guess = list(axes)
        guess[position] = None
        yield _in_axes(item, guess)


def positional(site: FixSite) -> Drafts:
    """An argument passed by keyword is passed by position, where in_axes can speak of it."""
    item, found = _vmap(site), site.call()
    if item is None or found is None or not found[1].keywords or item.function is None:
        return
    frame, call = found
    names = [a.arg for a in parameters(item.function)]
    if names[:1] == ["self"]:
        names = names[1:]
    given = names[len(call.args) :][: len(call.keywords)]
    by_name = {k.arg: k.value for k in call.keywords}
    if set(given) != set(by_name):
        return
    texts = [frame.module.text(a) for a in call.args]
    texts += [frame.module.text(by_name[name]) for name in given]
    for axis in (None, 0):
        draft = Draft(frame.module)
        func = frame.module.text(call.func)
        if item.option("in_axes") is None and call.func is not item.node:
            yield from _both(item, frame, call, texts)
            return
        if item.option("in_axes") is None:
            axes = ", ".join(["0"] * len(call.args) + [str(axis)] * len(given))
            func = f"{func[:-1]}, in_axes=({axes}))"
        yield draft.replace(call, f"{func}({', '.join(texts)})")


def _both(
    item: AppliedTransform, frame: FrameContext, call: ast.Call, texts: list[str]
) -> Iterator[Draft | None]:
    """Change the call and the vmap, which stand apart."""
    if item.module is not frame.module:
        return
    axes: list[int | None] = [0] * len(call.args) + [None] * len(call.keywords)
    draft = _in_axes(item, axes)
    if draft is not None:
        yield draft.replace(call, f"{frame.module.text(call.func)}({', '.join(texts)})")


def one_example(site: FixSite) -> Drafts:
    """A body that counts the axis which vmap took away counts one fewer."""
    frame, node = site.frame, site.at
    if frame is None or node is None:
        return
    yield _one_fewer(frame.module, node)


def _one_fewer(module: Module, node: ast.AST) -> Draft | None:
    draft = Draft(module)
    match node:
        case ast.Call():
            axes = [k.value for k in node.keywords if k.arg in ("axis", "dim")]
            axes += [a for a in node.args[1:2] if is_number(a)]
            for axis in axes:
                if (
                    isinstance(axis, ast.Constant)
                    and isinstance(axis.value, int)
                    and axis.value > 0
                ):
                    return draft.replace(axis, str(axis.value - 1))
                if isinstance(axis, ast.Tuple):
                    return _tuple_axis(draft, axis)
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(), *rest])) if rest:
            text = ", ".join(module.text(item) for item in rest)
            first, last = module.span(node.slice), module.span(rest[-1])
            place = type(first)(first.line, first.column, last.end_line, last.end_column)
            return draft.replace(place, text)
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=int(at))):
            return draft.replace(node.slice, str(at - 1)) if at > 0 else None
    statement = module.statement(node)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Tuple):
        rest = statement.targets[0].elts[1:]
        text = ", ".join(module.text(name) for name in rest) + ("," if len(rest) == 1 else "")
        return draft.replace(statement.targets[0], text) if rest else None
    return None


def _tuple_axis(draft: Draft, axis: ast.Tuple) -> Draft | None:
    numbers = [e.value for e in axis.elts if isinstance(e, ast.Constant)]
    whole = [n for n in numbers if isinstance(n, int) and n > 0]
    if len(whole) != len(axis.elts):
        return None
    comma = "," if len(whole) == 1 else ""
    return draft.replace(axis, f"({', '.join(str(n - 1) for n in whole)}{comma})")


def axis_name(site: FixSite) -> Drafts:
    """The axis is named where it is mapped, or the name that it has there is used."""
    found = re.search(r"unbound axis name: (\w+)", site.message)
    if found is None or site.context is None:
        return
    items = [
        a for m in site.context.modules.values() for a in applied(m) if a.kind in ("vmap", "pmap")
    ]
    for item in items:
        named = item.option("axis_name")
        if isinstance(named, ast.Constant) and site.frame is not None:
            yield _same_name(site.frame.module, found[1], str(named.value))
    for item in items:
        if item.option("axis_name") is None and item.call is not None:
            yield add_argument(Draft(item.module), item.call, f'axis_name="{found[1]}"')
        elif item.call is None:
            draft = Draft(item.module)
            name, text = draft.name("functools.partial"), item.module.text(item.node)
            yield draft.replace(item.node, f'{name}({text}, axis_name="{found[1]}")')


def _same_name(module: Module, used: str, known: str) -> Draft | None:
    draft, count = Draft(module), 0
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and node.value == used:
            quote = module.text(node)[:1]
            draft.replace(node, f"{quote}{known}{quote}")
            count += 1
    return draft if count else None


def shared(site: FixSite) -> Drafts:
    """An argument that the whole batch shares is not mapped."""
    module, node = site.module, site.node
    item = next((a for a in applied(module) if a.node is node), None) if module else None
    function = item.function if item is not None else None
    if item is None or function is None or len(parameters(function)) < 2:
        return
    count = len(parameters(function))
    yield _in_axes(item, [None, *[0] * (count - 1)])


FIXERS: dict[str, Fixer] = {
    "vmap-axis-mismatch": mapped_axes,
    "vmap-non-array": not_an_array,
    "vmap-keyword-argument": positional,
    "vmap-body-sees-one-example": one_example,
    "vmap-maps-shared-argument": shared,
    "unbound-axis-name": axis_name,
}
