"""Matches and fixes stacks of Equinox models that are called like one model."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import rewrite
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.engine.source import Definition, Module
from jaxtutor.core.diagnosis.engine.transforms import transformation
from jaxtutor.core.diagnosis.reading.calls import called_name
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of, is_module_of


class StackCalled(AtCall, frozen=True, kw_only=True):
    """A call of stacked models, directly or through `jax.vmap`."""

    stack: ast.Name


def stack_called(context: FailureContext) -> StackCalled | None:
    """Models that `vmap` made of several keys are called without mapping over the models."""
    for frame in reversed(context.frames):
        call = frame.node
        stack = called_name(call)
        if not isinstance(call, ast.Call) or stack is None or len(call.args) != 1:
            continue
        if not is_module_of("equinox", frame, stack) or not _is_stack(context, frame, stack):
            continue
        facts = {"name": stack.id, "argument": _ensemble_text(frame, call, stack, "eqx")}
        return StackCalled(
            frame.place(call),
            facts,
            "ensemble",
            context=context,
            outer_frame=frame,
            node=call,
            stack=stack,
        )
    return None


def _is_stack(context: FailureContext, frame: FrameContext, stack: ast.Name) -> bool:
    """Return whether a mapped function made the model."""
    made = given_values(context, frame, stack)[-1]
    home = home_of(context, made)
    return home is not None and isinstance(made, ast.Call) and _is_mapped(home, made.func)


def _is_mapped(module: Module, maker: ast.expr) -> bool:
    if isinstance(maker, ast.Call):  # `eqx.filter_vmap(make)(keys)`
        return transformation(module, maker.func) == "vmap"
    function = module.function_named(maker.id) if isinstance(maker, ast.Name) else None
    decorators = function.decorator_list if isinstance(function, Definition) else []
    return any(transformation(module, d) == "vmap" for d in decorators)


def _ensemble_text(frame: FrameContext, call: ast.Call, stack: ast.Name, equinox: str) -> str:
    called = rewrite(frame.module, call.func, {stack: "model"})
    axes = f"in_axes=({equinox}.if_array(0), None)"
    function = f"{equinox}.filter_vmap(lambda model, x: {called}(x), {axes})"
    return f"{function}({stack.id}, {frame.module.text(call.args[0])})"


def map_stack(found: StackCalled) -> Drafts:
    """Map the call over the models, with one input for all of them."""
    draft = Draft(found.module).certain()
    equinox = draft.name("equinox")
    yield draft.replace(found.node, _ensemble_text(found.frame, found.node, found.stack, equinox))
