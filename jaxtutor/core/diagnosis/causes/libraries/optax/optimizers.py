"""Matches and fixes what an optimizer is given: gradients with their value, functions, parts."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.libraries.initializers import uncalled_initializers
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtNode, at_call, at_node
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import find, resolve
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    calls_in,
    keyword_value,
    method_of,
    method_owner,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.library_calls import given_values, home_of, in_sight
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import elements_or_itself

_TAKES_GRADIENTS = ("update", "apply_gradients", "apply_updates")


class WithValue(AtCall, frozen=True, kw_only=True):
    """A call that gets a loss and its gradient in one tuple; `target` is what that is assigned to.

    `part` is the argument itself, if it is the call that returned the tuple.
    """

    target: ast.Name | ast.Tuple | None
    part: ast.expr | None = None


def value_with_gradient(context: FailureContext) -> WithValue | None:
    """The result of value_and_grad is passed to an optimizer as if it were the gradient."""
    call = at_call(context)
    if call is None or method_of(call.node) not in _TAKES_GRADIENTS:
        return None
    if method_of(call.node) == "apply_updates" and (pair := _updates_with_state(call)) is not None:
        return pair
    given = keyword_value(call.node, "grads")
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
    return _taken_wrongly(call, assigned, grads, "", "swapped")


def _updates_with_state(call: AtCall) -> WithValue | None:
    """Match updates that are still in one tuple with the state, or that took its place."""
    updates = argument(call.node, 1, "updates")
    assigned = _assignment(call.frame, updates) if isinstance(updates, ast.Name) else None
    made = assigned.value if assigned is not None else None
    if assigned is None or not isinstance(made, ast.Call) or method_of(made) != "update":
        return None
    return _taken_wrongly(call, assigned, updates, "updates", "updates_swapped")


def _taken_wrongly(
    call: AtCall, assigned: ast.Assign, name: ast.expr | None, whole: str, swapped: str
) -> WithValue | None:
    """Return the match for a pair that is assigned whole, or taken apart the other way round."""
    match assigned.targets[0]:
        case ast.Name() as target:
            return _with_value(call, target, None, whole)
        case ast.Tuple(elts=[ast.Name() as first, ast.Name()]) as target:
            is_last = swapped != "updates_swapped"  # the gradient comes last, the updates first
            is_other = first.id == getattr(name, "id", "")
            return _with_value(call, target, None, swapped) if is_other is is_last else None
    return None


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


def _with_value(
    call: AtCall, target: ast.Name | ast.Tuple | None, part: ast.expr | None, form: str = ""
) -> WithValue:
    module = call.module
    statement = module.statement(target) if target is not None else None
    place = call.frame.place(statement) if statement is not None else None
    shown = target if target is not None else part
    made = getattr(statement, "value", None)
    facts = {
        "name": module.text(shown) if shown is not None else "",
        "function": module.text(call.node.func),
        "argument": _swapped(module, target) if isinstance(target, ast.Tuple) else "",
        "detail": module.text(made.func) if isinstance(made, ast.Call) else "",
        "condition": _state_of(made) if isinstance(made, ast.Call) else "",
    }
    return WithValue(
        place, facts, form, context=call.context, node=call.node, target=target, part=part
    )


def _swapped(module: Module, target: ast.Tuple) -> str:
    first, second = target.elts
    return f"{module.text(second)}, {module.text(first)}"


def _state_of(made: ast.Call) -> str:
    """Write the state that a call of `update` is given; a name for it if that is not a name."""
    state = argument(made, 1, "state")
    return path_of(state) or "opt_state"


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
    elif isinstance(found.target, ast.Tuple):
        yield draft.replace(found.target, found.facts["argument"])
    elif found.form == "updates" and found.target is not None:
        yield draft.after(found.target, f", {found.facts['condition']}")
    elif found.target is not None:
        value = "_" if in_sight(found.frame, "loss") else "loss"
        yield draft.replace(found.target, f"{value}, {found.target.id}")


class NotCalled(AtNode, frozen=True, kw_only=True):
    """A function in the place of what it returns; `functions` are those expressions.

    `argument` is what to call it with, as the file writes it; empty for a call without arguments,
    None if it is not known.
    """

    functions: tuple[ast.expr, ...]
    argument: str | None = ""


def not_called(context: FailureContext) -> NotCalled | None:
    """A function is used where what it returns belongs: in arithmetic, or by an optimizer."""
    initializer = _initializer(context)
    if initializer is not None:
        return initializer
    operand = _function_operand(context)
    if operand is not None:
        return operand
    call = at_call(context)
    classes = _classes(call) if call is not None else ()
    if call is not None and classes:
        return replace(_not_called(call, classes, ""), form="class")
    if call is None or context.library not in ("optax", "flax"):
        return None
    parts = [n for a in call.node.args for n in _display_values(a)]
    makers = tuple(p for p in parts if (call.module.dotted(p) or "").startswith("optax."))
    if makers:
        return _not_called(call, makers, "")
    given_parts = [*parts, *(k.value for k in call.node.keywords)]
    named = [p for p in given_parts if _makes_transformation(call.frame, p)]
    if len(named) == 1 and "has no attribute 'init'" in context.message:
        return _maker_passed(call, named[0])
    for given in call.node.args:
        assigned = _assignment(call.frame, given) if isinstance(given, ast.Name) else None
        value = assigned.value if assigned is not None else None
        if isinstance(value, ast.Attribute) and value.attr == "init":
            return _not_called(call, (value,), _parameters(call))
    return None


def _makes_transformation(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether a name is a function of Optax, which makes an optimizer when it is called."""
    fact = frame.fact(node)
    return fact is not None and fact.kind == "function" and fact.detail.startswith("optax.")


def _maker_passed(call: AtCall, node: ast.expr) -> NotCalled:
    """Match a function of Optax that a name got from somewhere else, such as a table."""
    source = given_values(call.context, call.frame, node)[-1]
    home = home_of(call.context, source) or call.module
    name = home.text(source)
    facts = {
        "name": name,
        "function": call.module.text(call.node.func),
        "argument": f"{name}(…)",
    }
    return NotCalled(
        home.location(source),
        facts,
        context=call.context,
        node=call.node,
        functions=(source,),
        argument=None,
    )


def _initializer(context: FailureContext) -> NotCalled | None:
    """Return the functions that make initializers and are not called."""
    frame, functions = uncalled_initializers(context) if context.frames else (None, ())
    if frame is None or not functions:
        return None
    name = frame.module.text(functions[0])
    return NotCalled(
        frame.place(functions[0]),
        {"name": name, "argument": f"{name}()"},
        "initializer",
        context=context,
        outer_frame=frame,
        node=functions[0],
        functions=functions,
    )


_MAKE_INSTANCES = frozenset("blackjax diffrax distrax lineax numpyro optimistix".split())
"""Libraries whose functions take objects, and never a class of these libraries."""


def _classes(call: AtCall) -> tuple[ast.expr, ...]:
    """List the classes that a call passes to such a library, or that its object was made with."""
    receiver = method_owner(call.node)
    made = given_values(call.context, call.frame, receiver) if receiver is not None else []
    calls = [call.node, *(m for m in made if isinstance(m, ast.Call))]
    homes = ((c, (call.frame.callee(c) or "").partition(".")[0]) for c in calls)
    return tuple(
        node
        for found, home in homes
        if home in _MAKE_INSTANCES
        for node in passed_arguments(found)
        if _is_class(call.frame, node)
    )


def _is_class(frame: FrameContext, node: ast.expr) -> bool:
    """Return whether an argument is such a class: by name, or from a table of them."""
    if isinstance(node, ast.Subscript):
        table = bound_value(frame.module, node.value)
        return isinstance(table, ast.Dict) and all(_is_class(frame, v) for v in table.values)
    path = frame.dotted(node) or ""
    home, _, name = path.rpartition(".")
    is_class = frame.kind(node) in ("class", None) and name[:1].isupper()
    return is_class and home.partition(".")[0] in _MAKE_INSTANCES


_OPERANDS = re.compile(r"operand type\(s\) for .*'(?:function|method|\w*PjitFunction)'")


def _function_operand(context: FailureContext) -> NotCalled | None:
    """Return the one operand that is a function of the learner's."""
    found = at_node(context)
    if found is None or not isinstance(found.node, ast.BinOp | ast.AugAssign):
        return None
    if _OPERANDS.search(context.message) is None:
        return None
    node = found.node
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    functions = [s for s in sides if found.frame.kind(s) == "function"]
    if len(functions) != 1:
        return None
    name = found.module.text(functions[0])
    made = _arguments_in_sight(found, functions[0])
    facts = {"name": name, "function": f"the operation `{found.module.text(node)}`"}
    facts["argument"] = f"{name}({made})" if made is not None else f"{name}(…)"
    return NotCalled(
        found.frame.place(node),
        facts,
        "operand",
        context=context,
        node=node,
        functions=(functions[0],),
        argument=made,
    )


def _arguments_in_sight(found: AtNode, function: ast.expr) -> str | None:
    """Write the arguments of a function by the names of its parameters, if these can be read."""
    defined = resolve(found.module, function, function)
    if defined is None or isinstance(function, ast.Attribute):
        return None
    given = defined.args
    count = len(given.args) - len(given.defaults)
    names = [a.arg for a in given.args[:count]]
    is_known = not given.posonlyargs and all(in_sight(found.frame, name) for name in names)
    return ", ".join(names) if is_known else None


def _display_values(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Dict):
        return list(node.values)
    return elements_or_itself(node)


def _parameters(call: AtCall) -> str:
    """Name the parameters: the third argument of update, or what `apply_updates` changes."""
    third = argument(call.node, 2, "params")
    if third is not None:
        return call.module.text(third)
    for node in calls_in(call.frame.function or call.module.tree):
        if call.frame.callee(node) == "optax.apply_updates":
            return path_of(node.args[0]) or "" if node.args else ""
    return ""


def _not_called(call: AtCall, functions: tuple[ast.expr, ...], argument: str) -> NotCalled:
    name = call.module.text(functions[0])
    facts = {
        "name": name,
        "function": call.module.text(call.node.func),
        "argument": f"{name}({argument or '…'})",
    }
    return NotCalled(
        call.frame.place(functions[0]),
        facts,
        context=call.context,
        node=call.node,
        functions=functions,
        argument=argument,
    )


def call_it(found: NotCalled) -> Drafts:
    """Call each function that was only named."""
    is_state = getattr(found.functions[0], "attr", "") == "init"
    if found.argument is None or (is_state and not found.argument):
        return
    draft = Draft(found.module)
    if found.form != "operand":
        draft.certain()
    for function in found.functions:
        draft.after(function, f"({found.argument})")
    yield draft


RULES = (Rule("value-and-grad-not-unpacked", raised(value_with_gradient), take_value_apart),)
