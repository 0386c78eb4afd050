"""Matches and fixes the state of an optimizer in the place of the optimizer, and the reverse."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.libraries.optax.rates import OPTIMIZERS
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Location, Module, path_of
from jaxtutor.core.diagnosis.reading.calls import (
    keyword_of,
    method_call_span,
    method_of,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of


class StateForOptimizer(AtFrame, frozen=True, kw_only=True):
    """A name for the optimizer that holds what its `init` returned; `made` is that call."""

    module_of: Module
    made: ast.Call


def state_for_optimizer(context: FailureContext) -> StateForOptimizer | None:
    """The name of an optimizer holds its state: `.init(params)` stands where it was made."""
    frame = context.frame
    if frame is None:
        return None
    for given in _suspects(frame):
        for value in given_values(context, frame, given):
            module = home_of(context, value)
            if module is None or not isinstance(value, ast.Call) or method_of(value) != "init":
                continue
            facts = {"name": frame.module.text(given), "argument": _tail(module, value)}
            return StateForOptimizer(
                _place(module, value), facts, context=context, module_of=module, made=value
            )
    return None


def _suspects(frame: FrameContext) -> Iterator[ast.expr]:
    """Yield what the failing expression reads `init` or `update` from, else what a call passes."""
    node = frame.node
    call = node if isinstance(node, ast.Call) else None
    read = call.func if call is not None else node
    if isinstance(read, ast.Attribute) and read.attr in ("init", "update"):
        outer = frame.module.parents.get(read)
        passed = len(outer.args) if isinstance(outer, ast.Call) else 0
        if frame.kind(read.value) == "tuple" and (read.attr == "init" or passed > 1):
            yield read.value
    if call is not None:
        given = passed_arguments(call)
        yield from (a for a in given if frame.kind(a) == "tuple" or method_of(a) == "init")


def _tail(module: Module, made: ast.Call) -> str:
    """Write the part of a call that follows the optimizer: `.init(params)`."""
    return module.text(method_call_span(module, made)).strip()


def _place(module: Module, made: ast.Call) -> Location:
    """Return the place of the call, or of its last part where it goes over several lines."""
    whole, tail = module.span(made), method_call_span(module, made)
    if whole.line == whole.end_line:
        return module.location(made)
    text = module.text(tail)
    before = text[: len(text) - len(text.lstrip())]
    column = len(before.rpartition("\n")[2]) + (0 if "\n" in before else tail.column)
    line = tail.line + before.count("\n")
    return module.location(Span(line, column, tail.end_line, tail.end_column))


def without_init(found: StateForOptimizer) -> Drafts:
    """Keep the optimizer, and call `init` where its state gets a name of its own."""
    module, made = found.module_of, found.made
    draft = Draft(module).certain().replace(method_call_span(module, made), "")
    statement = module.statement(made)
    if isinstance(statement, ast.Assign) and statement.value is made:
        name = path_of(statement.targets[0])
        for node in module.nodes:
            if name is not None and isinstance(node, ast.Assign) and path_of(node.value) == name:
                draft.after(node.value, _tail(module, made))
    yield draft


# ---------------------------------------------------------------- hyperparameters in the state


class NotInjected(AtFrame, frozen=True, kw_only=True):
    """The optimizer whose state has no hyperparameters; `position` is its place in a chain."""

    module_of: Module
    made: ast.Call
    position: int | None
    read: ast.expr | None


def not_injected(context: FailureContext) -> NotInjected | None:
    """`hyperparams` is read from the state of an optimizer that was made without them."""
    frame, calls = context.frame, list(_calls_in_files(context))
    if frame is None or context.failure.holders:
        return None
    if any((path_of(call.func) or "").endswith("inject_hyperparams") for _, call in calls):
        return None
    made = [(m, call) for m, call in calls if m.dotted(call.func) in OPTIMIZERS]
    if len(made) != 1:
        return None
    module, call = made[0]
    outer = module.parents.get(call)
    is_in_chain = isinstance(outer, ast.Call) and module.dotted(outer.func) == "optax.chain"
    position = outer.args.index(call) if is_in_chain and isinstance(outer, ast.Call) else None
    text = module.text(call.func)
    injected = f"{text.rpartition('.')[0] or 'optax'}.inject_hyperparams({text})"
    node = frame.node
    read = node.value if isinstance(node, ast.Attribute) and node.attr == "hyperparams" else None
    facts = {
        "name": frame.module.text(read) if read is not None else "the state",
        "function": text,
        "argument": f"{injected}(…)",
        "condition": f"[{position}]" if position is not None else "",
    }
    return NotInjected(
        module.location(call),
        facts,
        "chain" if position is not None else "",
        context=context,
        module_of=module,
        made=call,
        position=position,
        read=read,
    )


def _calls_in_files(context: FailureContext) -> Iterator[tuple[Module, ast.Call]]:
    for module in context.modules.values():
        yield from ((module, call) for call in module.calls)


def inject(found: NotInjected) -> Drafts:
    """Make the optimizer with `inject_hyperparams`, and read from its part of a chain's state."""
    module = found.module_of
    if keyword_of(found.made, "mask") is not None:
        return
    draft = Draft(module).certain()
    text = module.text(found.made.func)
    draft.replace(found.made.func, f"{draft.name('optax.inject_hyperparams')}({text})")
    if found.position is None:
        yield draft
    elif found.read is not None and found.frame.module is module:
        path = path_of(found.read)
        for node in module.nodes:
            is_read = isinstance(node, ast.Attribute) and node.attr == "hyperparams"
            if is_read and isinstance(node, ast.Attribute) and path_of(node.value) == path:
                draft.after(node.value, f"[{found.position}]")
        yield draft


RULES = (
    Rule("state-for-transformation", raised(state_for_optimizer), without_init),
    Rule("hyperparams-not-injected", raised(not_injected), inject),
)
