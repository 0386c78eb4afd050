"""Matches and fixes products whose factors have sizes that do not fit."""

from __future__ import annotations

import ast
import re
from functools import singledispatch

from msgspec.structs import replace

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.causes.shapes.cells import StateFirst, input_first
from jaxtutor.core.diagnosis.causes.shapes.diffusion import (
    Diffusion,
    diagonal_operator,
    diffusion,
)
from jaxtutor.core.diagnosis.causes.shapes.einsum import Labels, labels, reorder_labels
from jaxtutor.core.diagnosis.causes.shapes.ensembles import (
    StackCalled,
    map_stack,
    stack_called,
)
from jaxtutor.core.diagnosis.causes.shapes.layers import (
    MisfitLayer,
    fit_layer,
    misfit_layer,
    swapped_cell,
)
from jaxtutor.core.diagnosis.causes.shapes.shape_facts import shape_of
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_frame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import find_in_frames
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.patterns import first_match

_PARTS = re.compile(r"same shape, got \((\d+),?\) and \((\d+),?\)")
_CHANNELS = re.compile(r"but (\d+) // \d+ != \d+")
_RANKS = re.compile(r"needs to have rank (\d+).*?has shape \(([\d, ]*)\)")


class BatchToModel(AtCall, frozen=True, kw_only=True):
    """A call of a module of Equinox with a whole batch."""


def product(context: FailureContext) -> AtFrame | None:
    """The inner sizes of a product differ, as where a model for one example gets a batch."""
    if "feature dimension" in context.message:
        misfit = misfit_layer(context)
        if misfit is not None and misfit.form != "layer":
            return misfit
        channels = _CHANNELS.search(context.message)
        found = at_frame(context, {"detail": channels[1] if channels is not None else "another"})
        return replace(found, form="channels") if found is not None else None
    special = (
        diffusion(context) or labels(context) or swapped_cell(context) or stack_called(context)
    )
    if special is not None:
        return special
    if context.library == "diffrax":
        found = at_frame(context)
        return replace(found, form="diffusion") if found is not None else None
    is_layer = "needs to have rank" in context.message  # a convolution of Equinox
    found = _batch_to_model(context)
    if found is not None or is_layer:
        return found
    return misfit_layer(context) or _product_under_vmap(context)


def _batch_to_model(context: FailureContext) -> BatchToModel | None:
    """Find the call of the model, outside of its own methods, that passes a batch."""
    if context.library != "equinox":
        return None
    for frame, inner in zip(context.frames, [*context.frames[1:], None], strict=True):
        call = frame.node
        if not isinstance(call, ast.Call) or not is_module_of("equinox", frame, call.func):
            continue
        if not call.args or not _has_batch_axis(
            _first_input_fact(frame, inner, call), context.message
        ):
            return None
        facts = {"name": frame.module.text(call.func), "argument": frame.module.text(call.args[0])}
        return BatchToModel(
            frame.place(call), facts, "batch", context=context, outer_frame=frame, node=call
        )
    return None


def _first_input_fact(
    frame: FrameContext, inner: FrameContext | None, call: ast.Call
) -> NameFact | None:
    """Return what the first argument of a model's call was, as the caller or the model names it."""
    known = frame.fact(call.args[0])
    named = parameter_names(inner.function) if inner is not None else []
    if known is None and inner is not None and named[:1] == ["self"] and len(named) > 1:
        return inner.fact(named[1])
    return known


def _has_batch_axis(fact: NameFact | None, message: str) -> bool:
    """Return whether an argument has an axis more than the layer that refused it takes."""
    sizes, ranks = _PARTS.search(message), _RANKS.search(message)
    if fact is None:  # an expression without a name, of which only a convolution says the shape
        return ranks is not None and ranks[2].count(",") == int(ranks[1])
    shape = re.findall(r"\d+", fact.detail.partition("[")[2])
    return len(shape) >= 2 and (sizes is None or shape[-1] == sizes[1])


def _product_under_vmap(context: FailureContext) -> AtFrame | None:
    """The inner sizes of a product differ; `vmap` may map an axis other than the first."""
    found = at_frame(context)
    mapped = find_in_frames(context, "vmap")
    axes = mapped.option("in_axes") if mapped is not None else None
    if found is None or mapped is None or axes is None:
        return found
    if not any(isinstance(n, ast.Constant) and n.value for n in ast.walk(axes)):
        return found
    return replace(found, facts={"argument": mapped.module.text(axes)}, form="mapped")


@singledispatch
def fit_product(found: AtFrame) -> Drafts:
    """Write a product so that its sizes fit, or map its function over a batch."""
    sides = _matrix_factors(found.module, found.at)
    shapes = [shape_of(found.frame, side) for side in sides]
    if len(sides) == 2 and all(shapes):
        yield _mapped_over_batch(found, sides, shapes)
        yield from _turned(found.module, sides, shapes)


@fit_product.register
def _map_model(found: BatchToModel) -> Drafts:
    """Map a model for one example over its batch."""
    if len(found.node.args) == 1 and not found.node.keywords:
        draft = Draft(found.module).certain()
        yield draft.wrap(found.node.func, f"{draft.name('jax.vmap')}(", ")")


fit_product.register(StateFirst, input_first)
fit_product.register(Labels, reorder_labels)
fit_product.register(StackCalled, map_stack)
fit_product.register(Diffusion, diagonal_operator)
fit_product.register(MisfitLayer, fit_layer)


def _matrix_factors(module: Module, node: ast.AST | None) -> list[ast.expr]:
    """Return the two sides of a matrix product."""
    found = first_match(module, node, "$a @ $b", "jnp.dot($a, $b)", "jnp.matmul($a, $b)")
    return [found["a"], found["b"]] if found is not None else []


def _mapped_over_batch(
    found: AtFrame, sides: list[ast.expr], shapes: list[tuple[int, ...]]
) -> Draft | None:
    """Map the function over the batch that it was given: `w @ x` is a product for one example."""
    function, (left, right) = found.frame.function, sides
    names = parameter_names(function)
    is_batch = len(shapes[1]) == 2 and shapes[0][-1] == shapes[1][-1]
    if not is_batch or getattr(right, "id", "") not in names or len(found.context.frames) < 2:
        return None
    caller = found.context.frames[-2]
    call = caller.node
    is_weight = getattr(left, "id", "w")[0] in "wWAMk" and getattr(right, "id", "w")[0] not in "wW"
    if not isinstance(call, ast.Call) or len(call.args) != len(names) or not is_weight:
        return None
    axes = ["0" if name == getattr(right, "id", "") else "None" for name in names]
    draft = Draft(caller.module)
    start, end = f"{draft.name('jax.vmap')}(", f", in_axes={tuple_text(axes)})"
    return draft.wrap(call.func, start, end)


def _turned(module: Module, sides: list[ast.expr], shapes: list[tuple[int, ...]]) -> Drafts:
    """Transpose one side so that the inner sizes agree, or swap the sides."""
    (left, right), (one, other) = sides, shapes
    if len(other) == 2 and one[-1] == other[-1]:
        yield Draft(module).after(right, ".T")
    if len(one) == 2 and one[0] == other[0]:
        yield Draft(module).after(left, ".T")
    if other[-1] == one[0]:
        yield Draft(module).replace(left, module.text(right)).replace(right, module.text(left))


RULES = (Rule("shape-mismatch-matmul", raised(product), fit_product),)
