"""Matches and fixes arithmetic on whole pytrees, such as `params - rate * grads` of two dicts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy

from jaxtutor.core.diagnosis.causes.shapes import mapped
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import names_in, path_of
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import operands

_CONTAINERS = ("dict", "list", "tuple")
_TREE_CLASSES = ("State", "FrozenDict")  # of NNX and of linen
_LIBRARIES = ("equinox", "linen", "nnx")


class TreeOperand(AtFrame, frozen=True, kw_only=True):
    """Arithmetic on pytrees; `whole` is the statement or expression that computes with them."""

    whole: ast.expr | ast.AugAssign
    trees: tuple[ast.expr, ...]
    written: str


def tree_operand(context: FailureContext) -> AtFrame | None:
    """Arithmetic is written for whole pytrees: parameters, gradients, or a model."""
    frame = context.frame
    if frame is None or not isinstance(frame.node, ast.BinOp | ast.UnaryOp | ast.AugAssign):
        return None
    if (first := mapped.leaf_first(context)) is not None:
        return first
    whole = _largest_arithmetic(frame, frame.node)
    trees = list(_trees(frame, whole))
    if len(trees) < 2:
        return None
    model = next((t for t in trees if _is_module(frame, t)), None)
    written = _mapped_text(frame, whole, trees) if model is None else _updated(frame, whole, model)
    if not written:
        return None
    text = frame.module.text
    facts = {
        "name": text(trees[0]),
        "container": listed(map(text, trees)),
        "argument": written,
        "condition": text(whole),
    }
    place = frame.place(whole)
    form = "model" if model is not None else ""
    return TreeOperand(
        place, facts, form, context=context, whole=whole, trees=tuple(trees), written=written
    )


def _largest_arithmetic(
    frame: FrameContext, node: ast.BinOp | ast.UnaryOp | ast.AugAssign
) -> ast.expr | ast.AugAssign:
    """Return the largest arithmetic expression around a node."""
    found: ast.expr | ast.AugAssign = node
    for outer in frame.module.ancestors(node):
        if not isinstance(outer, ast.BinOp | ast.UnaryOp | ast.AugAssign):
            break
        found = outer
    return found


def _trees(frame: FrameContext, whole: ast.AST) -> Iterator[ast.expr]:
    """Yield the operands that are pytrees, each path once."""
    seen: set[str] = set()
    for operand in _tree_operands(whole):
        path = path_of(operand)
        if path is None or path in seen:
            continue
        if frame.kind(operand) in _CONTAINERS or _is_tree(frame, operand):
            seen.add(path)
            yield operand


def _is_tree(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an operand is a model, or a container of a library that is a pytree."""
    fact = frame.fact(node)
    is_container = fact is not None and last_part(fact.detail) in _TREE_CLASSES
    return is_container or _is_module(frame, node)


def _tree_operands(node: ast.AST) -> Iterator[ast.expr]:
    """List the operands of an expression or of an update such as `a += b`."""
    parts = [node.target, node.value] if isinstance(node, ast.AugAssign) else [node]
    return (operand for part in parts for operand in operands(part))


def _is_module(frame: FrameContext, node: ast.expr) -> bool:
    return any(is_module_of(library, frame, node) for library in _LIBRARIES)


def _mapped_text(frame: FrameContext, whole: ast.AST, trees: list[ast.expr]) -> str:
    """Write the arithmetic as a function of the leaves; empty if no names are free for them."""
    names = _leaf_names(whole, trees)
    if not names:
        return ""
    body = _renamed(frame, whole, dict(zip(map(path_of, trees), names, strict=True)))
    given = ", ".join(frame.module.text(t) for t in trees)
    return f"jax.tree.map(lambda {', '.join(names)}: {body}, {given})"


def _leaf_names(whole: ast.AST, trees: Sequence[ast.expr]) -> list[str]:
    """Name the leaves after the first letters of their trees: `p` and `g`."""
    last = [last_name(t).strip("_") for t in trees]
    letters = [name[:1].lower() for name in last]
    taken = names_in(whole)
    is_free = len(set(letters)) == len(letters) and not taken & set(letters)
    return letters if is_free and all(letters) else last if len(set(last)) == len(last) else []


def _renamed(frame: FrameContext, node: ast.AST, names: dict[str | None, str]) -> str:
    """Write an expression with the names of leaves in place of their trees."""
    match node:
        case ast.AugAssign(target=target, op=op, value=value):
            parts = deepcopy(ast.BinOp(left=target, op=op, right=value))
            return ast.unparse(_Leaves(names).visit(parts))
        case _:
            tree = ast.parse(frame.module.text(node).replace("\n", " "), mode="eval")
            return ast.unparse(_Leaves(names).visit(tree))


class _Leaves(ast.NodeTransformer):
    """Puts names of leaves in the place of trees."""

    def __init__(self, names: dict[str | None, str]) -> None:
        self.names = names

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Replace a path that is a tree; look inside everything else."""
        path = path_of(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if path in self.names:
            return ast.Name(id=self.names[path], ctx=ast.Load())
        return super().generic_visit(node)


def _updated(frame: FrameContext, whole: ast.AST, model: ast.expr) -> str:
    """Write `model - rate * grads` with `eqx.apply_updates`; empty for other arithmetic."""
    match whole:
        case ast.BinOp(left=left, op=ast.Sub(), right=step) if path_of(left) == path_of(model):
            change = step
        case ast.AugAssign(target=target, op=ast.Sub(), value=step) if path_of(target) == path_of(
            model
        ):
            change = step
        case _:
            return ""
    trees = [o for o in _tree_operands(change) if isinstance(o, ast.Name) and _is_module(frame, o)]
    if len(trees) != 1 or not is_module_of("equinox", frame, trees[0]):
        return ""
    names = _leaf_names(change, trees)
    step_text = _renamed(frame, change, {path_of(trees[0]): names[0]}) if names else ""
    apply = Draft(frame.module).name("equinox.apply_updates")
    inner = f"jax.tree.map(lambda {names[0]}: -({step_text}), {frame.module.text(trees[0])})"
    return f"{apply}({frame.module.text(model)}, {inner})" if names else ""


def _map(found: TreeOperand) -> Drafts:
    draft = Draft(found.module).certain()
    draft.name("jax.tree.map")
    text = found.written
    if isinstance(found.whole, ast.AugAssign):
        text = f"{found.module.text(found.whole.target)} = {text}"
    yield draft.replace(found.whole, text)


RULES = (
    Rule("pytree-in-arithmetic", raised(tree_operand), by_match(mapped.begin_with_zeros, _map)),
)
