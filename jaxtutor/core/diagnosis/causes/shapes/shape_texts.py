"""Matches and fixes annotations of jaxtyping whose shape is not one text."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


class Annotation(AtFrame, frozen=True, kw_only=True):
    """An annotation `Float[Array, shape]`, and the text that its `parts` mean; None if unknown."""

    node: ast.Subscript
    parts: tuple[ast.expr, ...]
    text: str | None
    has_array: bool


def shape_not_text(context: FailureContext) -> Annotation | None:
    """The shape in an annotation of jaxtyping is a number, a tuple, or has commas."""
    frame, node = context.frame, context.node
    if frame is None or not isinstance(node, ast.Subscript) or context.library != "jaxtyping":
        return None
    given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    is_shape = len(given) == 1 and isinstance(given[0], ast.Constant)
    shape = given if is_shape else given[1:]
    text = _text(shape) if shape else None
    array = "jax.Array" if is_shape else frame.module.text(given[0])
    kind = frame.module.text(node.value)
    facts = {
        "name": frame.module.text(node),
        "argument": f'{kind}[{array}, "{text if text is not None else "rows columns"}"]',
    }
    return Annotation(
        None,
        facts,
        context=context,
        node=node,
        parts=tuple(shape),
        has_array=not is_shape,
        text=text,
    )


def _text(parts: list[ast.expr]) -> str | None:
    """Write sizes and names of axes with spaces between them."""
    words = [word for part in parts for word in _words(part)]
    return None if None in words else " ".join(word for word in words if word)


def _words(part: ast.expr) -> list[str | None]:
    match part:
        case ast.Constant(value=str(text)):
            return list(text.replace(",", " ").split())
        case ast.Constant(value=int(size)):
            return [str(size)]
        case ast.Constant(value=value) if value is None or value is ...:
            return ["..."]
        case ast.Tuple(elts=inner) | ast.List(elts=inner):
            return [word for each in inner for word in _words(each)]
    return [None]


def as_text(found: Annotation) -> Drafts:
    """Write the shape as one text, after the type of array."""
    if found.text is not None and found.parts:
        draft, module = Draft(found.module).certain(), found.module
        first, last = module.span(found.parts[0]), module.span(found.parts[-1])
        whole = type(first)(first.line, first.column, last.end_line, last.end_column)
        array = "" if found.has_array else f"{draft.name('jax.Array')}, "
        yield draft.replace(whole, f'{array}"{found.text}"')


RULES = (Rule("annotation-shape-not-text", raised(shape_not_text), as_text),)
