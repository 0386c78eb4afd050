"""Names reshapes that exchange axes, and convolutions of images with the channels first."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec import Struct

from jaxtutor.core.data.observations import AxesMixed, ChannelsFirst
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import CallFinding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module

_PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.UnaryOp)


class Reshape(Struct, frozen=True):
    """A call that reshapes an array, with the sizes that it is written with."""

    call: ast.Call
    array: ast.expr
    sizes: tuple[ast.expr, ...]


class MixedAxes(CallFinding, frozen=True, kw_only=True):
    """A reshape of `array` to `sizes` that puts axes in another order."""

    reshape: Reshape


def axes_mixed(spot: ObservedLocation[AxesMixed]) -> MixedAxes | None:
    """A reshape whose sizes say which axis each of them is, and that puts them in another order.

    A size that is computed, such as `2 * batch`, may be equal to another axis by chance.
    """
    reshape, form = reshape_of(spot.module, spot.node), spot.seen.form
    sizes = reshape.sizes if reshape is not None else ()
    if reshape is None or len(sizes) < 2 or not all(isinstance(s, _PLAIN) for s in sizes[:-1]):
        return None
    if any(_is_rest(s) for s in sizes[:-1]):
        return None
    numbers = all(isinstance(s, ast.Constant) for s in sizes)
    if form == "moved" and not (isinstance(sizes[-1], _PLAIN) and _is_moved(sizes, numbers)):
        return None
    if form == "joined" and numbers:
        return None
    change = f"{spot.seen.first} became {spot.seen.last}"
    facts = {**spot.facts, "name": spot.module.text(reshape.array), "detail": change}
    return MixedAxes(None, facts, form, module=spot.module, node=reshape.call, reshape=reshape)


def _is_moved(sizes: Sequence[ast.expr], numbers: bool) -> bool:
    return len(sizes) > 2 or not numbers


def _is_rest(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp)


def reshape_of(module: Module, node: ast.AST | None) -> Reshape | None:
    """Read `x.reshape(2, 3)` or `jnp.reshape(x, (2, 3))`, whose sizes are written out."""
    if not isinstance(node, ast.Call):
        return None
    if module.dotted(node.func) == "jax.numpy.reshape" and node.args:
        array, *given = node.args
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
        array, given = node.func.value, node.args
    else:
        return None
    if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List):
        given = given[0].elts
    is_plain = not node.keywords and not any(isinstance(g, ast.Starred) for g in given)
    return Reshape(node, array, tuple(given)) if is_plain and given else None


def move_axes(found: MixedAxes) -> Drafts:
    """Exchange the axes beside a reshape that keeps their order, where the sizes name them.

    Queries, keys and values are split alike, so all reshapes of a function to the same sizes are
    edited together.
    """
    module, draft = found.module, Draft(found.module)
    texts = [module.text(s) for s in found.reshape.sizes]
    for other in ast.walk(module.scope(found.node)):
        same = reshape_of(module, other)
        if same is not None and [module.text(s) for s in same.sizes] == texts:
            new = _with_moved_axes(module, same)
            if not new:
                return
            draft.replace(same.call, new)
    yield draft.certain()


def _with_moved_axes(module: Module, reshape: Reshape) -> str:
    """Write a reshape so that it exchanges axes; empty where their names do not tell how."""
    sizes, array = reshape.sizes, reshape.array
    texts, source = [module.text(s) for s in sizes], atom(module, array)
    named = _unpacked(module, array)
    orders = [names for path, names in named if path == module.text(array)]
    moved = next((o for o in orders if sorted(o) == sorted(texts) and o != texts), None)
    if moved is not None:
        axes = ", ".join(str(moved.index(text)) for text in texts)
        return f"{source}.transpose({axes})"
    if len(sizes) > 2 and _divisor(module, sizes[-1]) == texts[-3]:
        n = len(sizes) - 3
        texts[n], texts[n + 1] = texts[n + 1], texts[n]
        return f"{source}.reshape({', '.join(texts)}).swapaxes({n}, {n + 1})"
    if any(_names_all(names, texts) for _, names in named):
        return f"{source}.swapaxes(-3, -2).reshape({', '.join(texts)})"
    return ""


def _names_all(names: list[str], texts: list[str]) -> bool:
    """Return whether sizes are those that were unpacked, of which the last may be left open."""
    return names == texts or (names[:-1] == texts[:-1] and texts[-1] == "-1")


def _unpacked(module: Module, node: ast.expr) -> list[tuple[str, list[str]]]:
    """List the arrays whose shapes are unpacked in a function, with the names of the sizes."""
    found = list[tuple[str, list[str]]]()
    for statement in ast.walk(module.scope(node)):
        match statement:
            case ast.Assign(
                targets=[ast.Tuple(elts=names)], value=ast.Attribute(attr="shape", value=array)
            ):
                found.append((module.text(array), [module.text(name) for name in names]))
    return found


def _divisor(module: Module, node: ast.expr) -> str:
    """Return by what a size is divided: `h` of `c // h`."""
    match node:
        case ast.BinOp(op=ast.FloorDiv(), right=right):
            return module.text(right)
    return ""


def channels_first(spot: ObservedLocation[ChannelsFirst]) -> CallFinding | None:
    """A convolution of images whose channels stand before height and width."""
    if not isinstance(spot.node, ast.Call):
        return None
    facts = {**spot.facts, "name": spot.module.text(spot.node.func)}
    return CallFinding(module=spot.module, node=spot.node, facts=facts)


def put_channels_last(found: CallFinding) -> Drafts:
    """Move the channels of the images to the end, where the first convolution gets them."""
    module, call = found.module, found.node
    if len(call.args) == 1:
        draft = Draft(module)
        move = draft.name("jax.numpy.moveaxis")
        yield draft.replace(call.args[0], f"{move}({module.text(call.args[0])}, 1, -1)").certain()


RULES = (
    Rule("reshape-for-transpose", observed((AxesMixed, axes_mixed)), move_axes),
    Rule("channels-not-last", observed((ChannelsFirst, channels_first)), put_channels_last),
)
