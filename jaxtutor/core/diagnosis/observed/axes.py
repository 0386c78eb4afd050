"""Names reshapes that exchange axes, and convolutions of images with the channels first."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxtutor.core.data.observations import AxesMixed, ChannelsFirst
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module

_PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.UnaryOp)


def axes_mixed(spot: ObservedLocation[AxesMixed]) -> Finding | None:
    """A reshape whose sizes say which axis each of them is, and that puts them in another order.

    A size that is computed, such as `2 * batch`, may be equal to another axis by chance.
    """
    sizes = reshape_sizes(spot.module, spot.node)
    form = spot.seen.form
    if sizes is None or len(sizes) < 2 or not all(isinstance(s, _PLAIN) for s in sizes[:-1]):
        return None
    if any(_is_rest(s) for s in sizes[:-1]):
        return None
    numbers = all(isinstance(s, ast.Constant) for s in sizes)
    if form == "moved" and not (isinstance(sizes[-1], _PLAIN) and _is_moved(sizes, numbers)):
        return None
    if form == "joined" and numbers:
        return None
    array = _array(spot.module, spot.node)
    if array is None:
        return None
    change = f"{spot.seen.first} became {spot.seen.last}"
    facts = {**spot.facts, "name": spot.module.text(array), "detail": change}
    return spot.found(facts=facts)


def _is_moved(sizes: Sequence[ast.expr], numbers: bool) -> bool:
    return len(sizes) > 2 or not numbers


def _is_rest(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp)


def reshape_sizes(module: Module, node: ast.AST | None) -> list[ast.expr] | None:
    """List the sizes that a reshape is written with."""
    if not isinstance(node, ast.Call):
        return None
    if module.dotted(node.func) == "jax.numpy.reshape":
        given = node.args[1:]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
        given = node.args
    else:
        return None
    if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List):
        given = given[0].elts
    is_plain = not node.keywords and not any(isinstance(g, ast.Starred) for g in given)
    return list(given) if is_plain and given else None


def _array(module: Module, node: ast.AST | None) -> ast.expr | None:
    """Return the array that a call reshapes."""
    if not isinstance(node, ast.Call):
        return None
    if module.dotted(node.func) == "jax.numpy.reshape":
        return node.args[0]
    return node.func.value if isinstance(node.func, ast.Attribute) else None


def move_axes(found: Finding) -> Drafts:
    """Exchange the axes beside a reshape that keeps their order, where the sizes name them.

    Queries, keys and values are split alike, so all reshapes of a function to the same sizes are
    edited together.
    """
    module, node = found.module, found.node
    sizes = reshape_sizes(module, node)
    if sizes is None:
        return
    draft, texts = Draft(module), [module.text(s) for s in sizes]
    for other in ast.walk(module.scope(node)):
        same = reshape_sizes(module, other)
        new = _with_moved_axes(module, other) if isinstance(other, ast.Call) else ""
        if same is not None and [module.text(s) for s in same] == texts:
            if not new:
                return
            draft = draft.replace(other, new)
    yield draft.certain()


def _with_moved_axes(module: Module, node: ast.Call) -> str:
    """Write a reshape so that it exchanges axes; empty where their names do not tell how."""
    sizes, array = reshape_sizes(module, node), _array(module, node)
    if sizes is None or array is None:
        return ""
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


def channels_first(spot: ObservedLocation[ChannelsFirst]) -> Finding | None:
    """A convolution of images whose channels stand before height and width."""
    if not isinstance(spot.node, ast.Call):
        return None
    facts = {**spot.facts, "name": spot.module.text(spot.node.func)}
    return spot.found(facts=facts)


def put_channels_last(found: Finding) -> Drafts:
    """Move the channels of the images to the end, where the first convolution gets them."""
    module, call = found.module, found.node
    if isinstance(call, ast.Call) and len(call.args) == 1:
        draft = Draft(module)
        move = draft.name("jax.numpy.moveaxis")
        yield draft.replace(call.args[0], f"{move}({module.text(call.args[0])}, 1, -1)").certain()


RULES = (
    Rule("reshape-for-transpose", observed((AxesMixed, axes_mixed)), move_axes),
    Rule("channels-not-last", observed((ChannelsFirst, channels_first)), put_channels_last),
)
