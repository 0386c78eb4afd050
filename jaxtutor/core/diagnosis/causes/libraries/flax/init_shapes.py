"""Matches and fixes parameters of linen and Haiku that `init` made for another input shape."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.causes.libraries.flax.variables import APPLY, AtApply, at_library_call
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import method_of
from jaxtutor.core.diagnosis.reading.library_calls import library_call

_LINEN = re.compile(
    r'parameter "([^"]*)" in "([^"]*)".*?generate shape (\([^)]*\)).*?has shape (\([^)]*\))', re.S
)
_HAIKU = re.compile(
    r"'([^']*)/([^'/]*)' with retrieved shape (\([^)]*\)) does not match shape=([\[(][^\])]*[\])])"
)
_SIZE = r"\d+"
_ARRAYS = ("array", "tracer", "ndarray")


class ShapeChanged(AtApply, frozen=True, kw_only=True):
    """A call of `apply`; `example` is what `init` got, if that is one element of the batch."""

    home: Module | None = None
    example: ast.expr | None = None


def shape_changed(context: FailureContext) -> ShapeChanged | None:
    """The parameters were made for another input shape."""
    facts = _shape_facts(context.message)
    shared = _shared_layer(context, facts) if facts else None
    if shared is not None:
        return shared
    found = at_library_call(context, APPLY, "", facts) if facts else None
    if found is None:
        return None
    batch = [found.frame.fact(a) for a in found.call.args[1:]]
    examples = [
        (module, given, fact)
        for module, given in _initial_inputs(context)
        if (fact := _fact(context, given)) is not None
    ]
    fitting = [e for e in examples if any(b is not None and _is_element(e[2], b) for b in batch)]
    one = fitting[0] if len(fitting) == 1 else None
    if one is not None:
        text = one[0].text(one[1])
        facts = {**facts, "argument": text, "aval": one[2].detail, "condition": f"{text}[None]"}
    return ShapeChanged(
        one[0].location(one[1]) if one is not None else found.place,
        {**found.facts, **facts},
        "example" if one is not None else "settings" if _is_of_settings(context.message) else "",
        context=context,
        frame=found.frame,
        call=found.call,
        home=one[0] if one is not None else None,
        example=one[1] if one is not None else None,
    )


class SharedLayer(ShapeChanged, frozen=True, kw_only=True):
    """A layer that is called with two inputs; `other` is one like it that nothing calls."""

    layer: ast.Attribute
    other: str


def _shared_layer(context: FailureContext, facts: dict[str, str]) -> SharedLayer | None:
    """Return the call in which a layer gets another input than it got first, within `init`."""
    initial = library_call(context, "init", "init_with_output")
    if initial is None:
        return None
    name = facts["container"].strip("/").partition("/")[0]
    for frame in context.frames[context.frames.index(initial[0]) + 1 :]:
        call = frame.node
        layer = call.func if isinstance(call, ast.Call) else None
        if isinstance(call, ast.Call) and isinstance(layer, ast.Attribute) and layer.attr == name:
            shown = frame.module.text(layer)
            facts = {**facts, "function": shown, "argument": _unused(frame, layer)}
            return SharedLayer(
                frame.place(call),
                facts,
                "shared",
                context=context,
                frame=frame,
                call=call,
                layer=layer,
                other=facts["argument"],
            )
    return None


def _unused(frame: FrameContext, layer: ast.Attribute) -> str:
    """Return the one attribute that is made like a layer and that nothing reads."""
    module, owner = frame.module, path_of(layer.value)
    made = {
        target.attr: ast.dump(node.value)
        for node in module.nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and path_of(target.value) == owner
    }
    read = {
        n.attr for n in module.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load)
    }
    alike = [n for n, text in made.items() if text == made.get(layer.attr) and n not in read]
    return f"{owner}.{alike[0]}" if len(alike) == 1 else ""


class ParameterShapes(NamedTuple):
    """What a message says of a parameter: the layer that has it, and two shapes."""

    name: str
    layer: str
    needed: list[str]
    made: list[str]
    said: str


def parameter_shapes(message: str) -> ParameterShapes | None:
    """Read which parameter has which shape; None for another message."""
    linen, haiku = _LINEN.search(message), _HAIKU.search(message)
    if linen is not None:
        name, layer, needed, made = linen[1], linen[2], linen[3], linen[4]
    elif haiku is not None:
        name, layer, needed, made = haiku[2], haiku[1], haiku[4], haiku[3]
    else:
        return None
    said = f"{name} of {layer} has the shape {made}, the input needs {needed}"
    return ParameterShapes(name, layer, re.findall(_SIZE, needed), re.findall(_SIZE, made), said)


def _shape_facts(message: str) -> dict[str, str]:
    """Return what fills the sentences about a parameter's shape; empty for another message."""
    shapes = parameter_shapes(message)
    if shapes is None:
        return {}
    return {"name": shapes.name, "container": shapes.layer, "detail": shapes.said}


def _is_of_settings(message: str) -> bool:
    """Return whether a kernel differs in its last axis only, which no input decides."""
    shapes = parameter_shapes(message)
    if shapes is None or shapes.name != "kernel":
        return False
    return len(shapes.needed) == len(shapes.made) and shapes.needed[:-1] == shapes.made[:-1]


def _initial_inputs(context: FailureContext) -> Iterator[tuple[Module, ast.expr]]:
    """Yield what the calls of `init` pass after the key."""
    for module in context.modules.values():
        for call in module.calls:
            if method_of(call) == "init":
                for given in call.args[1:]:
                    yield module, given


def _fact(context: FailureContext, node: ast.expr) -> NameFact | None:
    """Return what a name was in one of the live frames."""
    facts = [frame.fact(node) for frame in context.frames]
    return next((f for f in facts if f is not None and f.kind in _ARRAYS), None)


def _is_element(element: NameFact, batch: NameFact) -> bool:
    """Return whether a batch holds elements of a type: `float32[8,3]` holds `float32[3]`."""
    dtype, _, shape = batch.detail.partition("[")
    return batch.kind in _ARRAYS and f"{dtype}[{shape.partition(',')[2]}" == element.detail


def fit_input(found: AtApply) -> Drafts:
    """Call `init` with a batch, or the layer that was meant."""
    return add_batch_axis(found) if isinstance(found, ShapeChanged) else ()


def _other_layer(found: SharedLayer) -> Drafts:
    if found.other:
        yield Draft(found.frame.module).certain().replace(found.layer, found.other)


def add_batch_axis(found: ShapeChanged) -> Drafts:
    """Call `init` with a batch of one example."""
    if found.home is not None and found.example is not None:
        text = found.home.text(found.example)
        yield Draft(found.home).certain().replace(found.example, f"{text}[None]")


RULES = (Rule("linen-shape-changed", raised(shape_changed), by_match(fit_input, _other_layer)),)
