"""Finds means of masked losses that divide by the padding too."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, bound_names
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import bound_value, load_sites
from jaxtutor.core.diagnosis.reading.values import factors, wholly_reduced_array

_PADDING_NUMBERS = (0, -1, -100)


class PaddedMean(Finding, frozen=True, kw_only=True):
    """A mean over positions of which a mask keeps some."""

    mask: ast.Name


def read_padded_means(module: Module) -> Iterator[PaddedMean]:
    """Yield each `jnp.mean(losses * mask)` that a function returns, with a mask of padding."""
    for function in module.functions:
        for end in returned(function):
            value = end.elts[0] if isinstance(end, ast.Tuple) and end.elts else end
            mean = bound_value(module, value) if value is not None else None
            masks = factors(_averaged_product(module, mean))
            found = [m for m in masks if isinstance(m, ast.Name) and _marks_padding(module, m)]
            if mean is not None and len(found) == 1 and not _is_counted(function, found[0]):
                facts = {"name": found[0].id, "expression": module.text(mean)}
                yield PaddedMean(module=module, node=mean, facts=facts, mask=found[0])


def _averaged_product(module: Module, node: ast.AST | None) -> ast.expr | None:
    """Return the expression that is averaged over all axes, followed to its assignment."""
    array = wholly_reduced_array(module, node, "mean")
    return bound_value(module, array) if array is not None else None


def _marks_padding(module: Module, mask: ast.Name) -> bool:
    """Return whether a mask keeps positions within a length, or what differs from the padding."""
    made = bound_value(module, mask)
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute):
        if made.func.attr == "astype":
            made = made.func.value
        elif made.args and module.dotted(made.func) in ("jax.numpy.asarray", "jax.numpy.float32"):
            made = made.args[0]
        else:
            return False
    if not isinstance(made, ast.Compare) or len(made.ops) != 1:
        return False
    if isinstance(made.ops[0], ast.NotEq):
        return any(_is_padding(module, side) for side in (made.left, *made.comparators))
    return isinstance(made.ops[0], ast.Lt) and any(
        isinstance(n, ast.expr) and _is_arange(module, n) for n in ast.walk(made.left)
    )


def _is_arange(module: Module, node: ast.expr) -> bool:
    """Return whether an expression is `jnp.arange(…)`, or a name for it."""
    made = bound_value(module, node)
    return isinstance(made, ast.Call) and module.dotted(made.func) == "jax.numpy.arange"


def _is_padding(module: Module, node: ast.expr) -> bool:
    """Return whether an expression is a number that stands for padding."""
    try:
        value = ast.literal_eval(_constant(module, node))
    except ValueError:
        return False
    return type(value) is int and value in _PADDING_NUMBERS


def _constant(module: Module, node: ast.expr) -> ast.expr:
    """Return the default of a field for `config.pad`, and the value of a name."""
    if not isinstance(node, ast.Attribute):
        return bound_value(module, node)
    fields = [f for n in module.nodes if isinstance(n, ast.ClassDef) for f in n.body]
    defaults = [
        f.value
        for f in fields
        if isinstance(f, ast.Assign | ast.AnnAssign) and node.attr in bound_names(f)
    ]
    return defaults[0] if len(defaults) == 1 and defaults[0] is not None else node


def _is_counted(function: FunctionNode, mask: ast.Name) -> bool:
    """Return whether a function reads its mask a second time, to count what it keeps."""
    return len(load_sites(function, mask.id)) != 1


def divide_by_mask(found: PaddedMean) -> Drafts:
    """Divide the sum by the number of positions that the mask keeps."""
    module, mean = found.module, found.node
    if not isinstance(mean, ast.Call) or not isinstance(mean.func, ast.Attribute):
        return
    draft = Draft(module)
    if mean.args:
        draft.replace(mean.func, draft.name("jax.numpy.sum"))
    else:
        value = module.text(mean.func.value)
        is_name = isinstance(mean.func.value, ast.Name)
        draft.replace(mean.func, f"{value}.sum" if is_name else f"({value}).sum")
    yield draft.after(mean, f" / {found.mask.id}.sum()")


RULES = (Rule("mean-over-padding", read(read_padded_means, imports=TRAINING), divide_by_mask),)
