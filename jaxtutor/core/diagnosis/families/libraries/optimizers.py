"""Matches and mends what an optimizer is given: gradients with their value, functions, parts."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.library_calls import in_sight, method_of
from jaxtutor.core.diagnosis.reading import argument
from jaxtutor.core.diagnosis.rules import AtCall, Drafts, at_call
from jaxtutor.core.diagnosis.source import path_of
from jaxtutor.core.diagnosis.transforms import find

_TAKES_GRADIENTS = ("update", "apply_gradients", "apply_updates")


class WithValue(AtCall, frozen=True, kw_only=True):
    """A call that gets a loss and its gradient in one tuple; `target` is what that is assigned to.

    `part` is the argument itself, if it is the call that returned the tuple.
    """

    target: ast.Name | None
    part: ast.expr | None = None


def value_with_gradient(context: FailureContext) -> WithValue | None:
    """The result of value_and_grad is passed to an optimizer as if it were the gradient."""
    call = at_call(context)
    if call is None or method_of(call.node) not in _TAKES_GRADIENTS:
        return None
    given = next((k.value for k in call.node.keywords if k.arg == "grads"), None)
    grads = given if given is not None else argument(call.node, 0)
    if context.library == "flax" and method_of(call.node) == "update":
        grads = argument(call.node, 1, "grads")  # of an `nnx.Optimizer`, after the model
    if method_of(call.node) == "apply_updates":
        grads = _gradients_of(call, argument(call.node, 1, "updates"))
    if isinstance(grads, ast.Call) and find(context, "value_and_grad", at=grads) is not None:
        return _with_value(call, None, grads)
    assigned = _assignment(call.frame, grads) if isinstance(grads, ast.Name) else None
    if assigned is None or find(context, "value_and_grad", at=assigned.value) is None:
        return None
    target = assigned.targets[0]
    return _with_value(call, target, None) if isinstance(target, ast.Name) else None


def _gradients_of(call: AtCall, updates: ast.expr | None) -> ast.expr | None:
    """Return the gradients that updates were computed from, by the call that returned them."""
    name = updates.id if isinstance(updates, ast.Name) else ""
    for node in ast.walk(call.frame.function or call.module.tree):
        names = (
            {n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)}
            if isinstance(node, ast.Assign)
            else set()
        )
        made = node.value if isinstance(node, ast.Assign) and name in names else None
        if isinstance(made, ast.Call) and method_of(made) == "update":
            return argument(made, 0)
    return updates


def _with_value(call: AtCall, target: ast.Name | None, part: ast.expr | None) -> WithValue:
    statement = call.module.statement(target) if target is not None else None
    place = call.frame.place(statement) if statement is not None else None
    shown = target if target is not None else part
    facts = {
        "name": call.module.text(shown) if shown is not None else "",
        "function": call.module.text(call.node.func),
    }
    return WithValue(
        place,
        facts,
        context=call.context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        target=target,
        part=part,
    )


def _assignment(frame: FrameContext, name: ast.Name) -> ast.Assign | None:
    """Return the last assignment to a name before it is read, in its own function."""
    bound = frame.module.assignments(name.id, frame.module.scope(name))
    before = [s for s in bound if isinstance(s, ast.Assign) and s.lineno < name.lineno]
    return before[-1] if before else None


def take_value_apart(found: WithValue) -> Drafts:
    """Take the value and the gradient apart."""
    draft = Draft(found.module).certain()
    if found.part is not None:
        yield draft.after(found.part, "[1]")
    elif found.target is not None:
        value = "_" if in_sight(found.frame, "loss") else "loss"
        yield draft.replace(found.target, f"{value}, {found.target.id}")


class NotCalled(AtCall, frozen=True, kw_only=True):
    """A function in the place of what it returns; `functions` are those expressions.

    `argument` is what to call it with, as the file writes it; empty for a call without arguments.
    """

    functions: tuple[ast.expr, ...]
    argument: str = ""


def not_called(context: FailureContext) -> NotCalled | None:
    """A function that makes an optimizer, or its state, is passed without being called."""
    call = at_call(context)
    if call is None or context.library not in ("optax", "flax"):
        return None
    parts = [n for a in call.node.args for n in _items(a)]
    makers = tuple(p for p in parts if (call.module.dotted(p) or "").startswith("optax."))
    if makers:
        return _not_called(call, makers, "")
    for given in call.node.args:
        assigned = _assignment(call.frame, given) if isinstance(given, ast.Name) else None
        value = assigned.value if assigned is not None else None
        if isinstance(value, ast.Attribute) and value.attr == "init":
            return _not_called(call, (value,), _parameters(call))
    return None


def _items(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Dict):
        return list(node.values)
    return list(node.elts) if isinstance(node, ast.Tuple | ast.List) else [node]


def _parameters(call: AtCall) -> str:
    """Name the parameters: the third argument of update, or what `apply_updates` changes."""
    third = argument(call.node, 2, "params")
    if third is not None:
        return call.module.text(third)
    for node in ast.walk(call.frame.function or call.module.tree):
        if isinstance(node, ast.Call) and call.frame.callee(node) == "optax.apply_updates":
            return path_of(node.args[0]) or "" if node.args else ""
    return ""


def _not_called(call: AtCall, functions: tuple[ast.expr, ...], argument: str) -> NotCalled:
    name = call.module.text(functions[0])
    facts = {
        "name": name,
        "function": call.module.text(call.node.func),
        "argument": f"{name}({argument})",
    }
    return NotCalled(
        call.frame.place(functions[0]),
        facts,
        context=call.context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        functions=functions,
        argument=argument,
    )


def call_it(found: NotCalled) -> Drafts:
    """Call each function that was only named."""
    is_state = getattr(found.functions[0], "attr", "") == "init"
    if is_state and not found.argument:
        return
    draft = Draft(found.module).certain()
    for function in found.functions:
        draft.after(function, f"({found.argument})")
    yield draft
