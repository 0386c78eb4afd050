"""Matches and fixes functions, arguments and options on the wrong side of a transformation."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.python.call_signatures import SIGNATURES, is_function
from jaxtutor.core.diagnosis.causes.python.curried import Curried, called_result
from jaxtutor.core.diagnosis.causes.python.function_slots import is_function_as_data
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_option, tuple_text
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, find
from jaxtutor.core.diagnosis.reading.functions import parameters


class FunctionArgument(Curried, frozen=True, kw_only=True):
    """A function among the arguments of the mapped or differentiated function `item`."""

    item: AppliedTransform
    position: int


class MovedOption(AtCall, frozen=True, kw_only=True):
    """An option of a transformation in the call of what the transformation `item` returned."""

    option: ast.keyword
    item: AppliedTransform


def function_as_value(context: FailureContext) -> Curried | None:
    """A function is passed where an array is expected."""
    return _function_to_operation(context) or _function_to_transformed(context)


def _function_to_transformed(context: FailureContext) -> FunctionArgument | None:
    """A function is passed to a mapped or differentiated function."""
    call = at_call(context)
    item = find(context, *_WITH_ARRAYS) if call is not None else None
    if call is None or item is None or item.node is call.node or not is_function_as_data(context):
        return None
    given = [n for n, value in enumerate(call.node.args) if is_function(call.frame, value)]
    if not given:
        return None
    return FunctionArgument(
        None,
        {"name": call.module.text(call.node.args[given[0]]), "function": f"jax.{item.kind}"},
        "differentiated" if "grad" in item.kind else "mapped",
        context=context,
        node=call.node,
        outer=None,
        item=item,
        position=given[0],
    )


_WITH_ARRAYS = ("vmap", "grad", "value_and_grad")


def _function_to_operation(context: FailureContext) -> Curried | None:
    """A function is passed to an operation on arrays, such as `stop_gradient`."""
    found = called_result(context)
    if found is None or not found.path.startswith(("jax.lax.", "jax.numpy.", "jax.nn.")):
        return None
    if found.path in SIGNATURES or not found.node.args or not is_function_as_data(context):
        return None
    given = [a for a in found.node.args if is_function(found.frame, a)]
    facts = {"name": found.module.text(given[0]), "function": found.path} if given else {}
    return replace(found, facts=facts) if given else None


_MAKERS = ("jax.vmap", "jax.grad", "jax.value_and_grad", "jax.jacfwd", "jax.jacrev", "jax.hessian")
_OPTIONS = frozenset(
    {"in_axes", "out_axes", "argnums", "has_aux", "static_argnums", "static_argnames"}
    | {"donate_argnums", "donate_argnames", "axis_name", "allow_int"}
)
_WITH_OPTIONS = ("vmap", "grad", "value_and_grad", "jit", "jacfwd", "jacrev", "hessian")


def arguments_inside(context: FailureContext) -> AtCall | None:
    """The arguments of a mapped or differentiated function are passed to the transformation."""
    call = at_call(context)
    if call is None or call.path not in _MAKERS or len(call.node.args) < 2:
        return None
    is_option = isinstance(call.node.args[1], ast.Constant | ast.Tuple)
    facts = {"function": call.path, "argument": _called_twice(call)}
    return None if is_option else replace(call, facts=facts)


def _called_twice(found: AtCall) -> str:
    """Write a transformation with its options, and a second call with the arguments."""
    call, module = found.node, found.module
    options = [module.text(k) for k in call.keywords]
    made = f"{module.text(call.func)}({', '.join([module.text(call.args[0]), *options])})"
    return f"{made}({', '.join(module.text(a) for a in call.args[1:])})"


def arguments_outside(found: AtCall) -> Drafts:
    """Pass the arguments in a second pair of parentheses."""
    yield Draft(found.module).replace(found.node, _called_twice(found)).certain()


def option_outside(context: FailureContext) -> MovedOption | None:
    """An option of a transformation is passed in the call of its result."""
    for frame in reversed(context.frames):
        call = frame.node if isinstance(frame.node, ast.Call) else None
        item = find(context, *_WITH_OPTIONS, at=call) if call is not None else None
        options = [k for k in call.keywords if k.arg in _OPTIONS] if call is not None else []
        if call is None or item is None or item.call is None or item.node is call or not options:
            continue
        if any(a.arg == options[0].arg for a in parameters(item.function)):
            return None
        facts = {"name": options[0].arg or "", "function": frame.module.text(item.call.func)}
        return MovedOption(
            frame.place(call),
            facts,
            context=context,
            outer_frame=frame,
            node=call,
            option=options[0],
            item=item,
        )
    return None


def move_option(found: MovedOption) -> Drafts:
    """Pass the option to the transformation."""
    inner = found.item.call
    if inner is None or found.item.module is not found.module or found.item.is_decorator:
        return
    kept = [found.module.text(p) for p in (*found.node.args, *found.node.keywords)]
    kept.remove(found.module.text(found.option))
    made = found.module.text(found.node.func)
    if found.node.func is not inner:
        return
    made = f"{made[:-1].rstrip().rstrip(',')}, {found.module.text(found.option)})"
    yield Draft(found.module).replace(found.node, f"{made}({', '.join(kept)})").certain()


def call_inside(found: Curried) -> Drafts:
    """Apply the function first, and the operation to its result."""
    outer, module = found.outer, found.module
    if outer is not None and len(found.node.args) == 1 and not found.node.keywords:
        inner = f"{module.text(found.node.args[0])}({_arguments_text(module, outer)})"
        yield Draft(module).replace(outer, f"{module.text(found.node.func)}({inner})")


def _leave_out(found: FunctionArgument) -> Drafts:
    """Share the function between all examples, or differentiate with respect to another argument.

    Both take the function as it is: only what is mapped or differentiated has to be an array.
    """
    item, count = found.item, len(found.node.args)
    if count < 2 or found.node.keywords or item.option("in_axes") or item.option("argnums"):
        return
    axes = tuple_text(["None" if n == found.position else "0" for n in range(count)])
    other = 1 if found.position == 0 else 0
    yield add_option(item, f"in_axes={axes}" if item.kind == "vmap" else f"argnums={other}")


def _arguments_text(module: Module, call: ast.Call) -> str:
    return ", ".join(module.text(part) for part in (*call.args, *call.keywords))


RULES = (
    Rule("function-instead-of-value", raised(function_as_value), by_match(call_inside, _leave_out)),
    Rule("arguments-to-transformation", raised(arguments_inside), arguments_outside),
    Rule("option-in-the-call", raised(option_outside), move_option),
)
