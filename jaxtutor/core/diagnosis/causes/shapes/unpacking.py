"""Matches the cause of unpacking a value into another number of names than it has parts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.shapes.passed_alone import passed_alone
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Module, own_nodes
from jaxtutor.core.diagnosis.engine.transforms import name_of, transformation
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part

_GOT = re.compile(r"not enough values to unpack \(expected \d+, got (\d+)\)")
_TYPE = re.compile(r"\w+\[(.*)\]$")
_KEEPS_RESULT = ("jit", "vmap", "pmap", "checkpoint", "custom_vjp", "custom_jvp")
"""Transformations whose result has the structure of the function's own."""

_ARRAYS = ("array", "tracer", "ndarray")

Loop = ast.For | ast.AsyncFor | ast.comprehension


class Unpacking(AtFrame, frozen=True, kw_only=True):
    """A target with too many or too few names for the value that it takes apart."""

    target: ast.Tuple | ast.List
    value: ast.expr


class OwnResult(Unpacking, frozen=True, kw_only=True):
    """The value is what a function of the learner's returns, in the file `home`."""

    home: Module
    function: FunctionNode
    result: ast.expr


class Keys(Unpacking, frozen=True, kw_only=True):
    """The value is what `jax.random.split` returns, in the call `split`."""

    split: ast.Call


class Rounds(Unpacking, frozen=True, kw_only=True):
    """The value is what a loop goes through."""


def wrong_count(context: FailureContext) -> AtFrame | None:
    """A statement unpacks a value into another number of names than it has parts."""
    frame = context.frame
    if frame is None:
        return None
    target = _unpacked_names(frame)
    if target is None or any(isinstance(e, ast.Starred) for e in target.elts):
        return None
    outer = frame.module.parents.get(target)
    if isinstance(outer, Loop):
        return _in_rounds(context, frame, target, outer)
    if not isinstance(outer, ast.Assign):
        return None
    given = context, frame, target, outer.value
    return (
        passed_alone(*given)
        or _own_result(*given)
        or _keys(*given)
        or _unpacked_shape(*given)
        or _unpacked_rows(*given)
        or _library_result(*given)
    )


def _unpacked_names(frame: FrameContext) -> ast.Tuple | ast.List | None:
    """Return the names that Python was assigning to: the node at fault, or its statement's."""
    statement = frame.statement
    if isinstance(frame.node, ast.Tuple | ast.List):
        return frame.node
    first = statement.targets[0] if isinstance(statement, ast.Assign) else None
    is_value = isinstance(statement, ast.Assign) and frame.node in (None, statement.value)
    return first if is_value and isinstance(first, ast.Tuple | ast.List) else None


def _count_in_words(number: int, one: str, more: str) -> str:
    return f"one {one}" if number == 1 else f"{number} {more}"


def _unpacking_facts(
    frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> dict[str, str]:
    module = frame.module
    return {
        "name": module.text(value),
        "container": module.text(target),
        "argument": _count_in_words(len(target.elts), "value", "values"),
    }


# ---------------------------------------------------------------- what a function returns


def _own_result(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> OwnResult | None:
    called = _function_of_call(context, frame, value) if isinstance(value, ast.Call) else None
    if called is None:
        return None
    home, function = called
    results = returned(function)
    counts = {_result_count(result) for result in results}
    if len(counts) != 1 or None in counts or counts == {len(target.elts)} or _yields(function):
        return None
    result = results[-1]
    assert result is not None
    facts = {
        **_unpacking_facts(frame, target, value),
        "function": name_of(function) or "the lambda",
        "condition": home.text(result),
        "line": str(result.lineno),
        "detail": _count_in_words(next(iter(counts)) or 0, "value", "values"),
    }
    return OwnResult(
        frame.place(target),
        facts,
        "one_value" if counts == {1} else "",
        context=context,
        target=target,
        value=value,
        home=home,
        function=function,
        result=result,
    )


def _result_count(result: ast.expr | None) -> int | None:
    """Count the values that a return statement lists; None where it does not show."""
    if isinstance(result, ast.Tuple):
        return None if any(isinstance(e, ast.Starred) for e in result.elts) else len(result.elts)
    is_one = isinstance(result, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Constant)
    return 1 if is_one else None


def _yields(function: FunctionNode) -> bool:
    return any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in own_nodes(function))


def _function_of_call(
    context: FailureContext, frame: FrameContext, call: ast.Call
) -> tuple[Module, FunctionNode] | None:
    """Find the function of the learner's that a call calls, also through jit and vmap."""
    func = _unwrapped(frame.module, bound_value(frame.module, call.func))
    fact = frame.fact(func)
    if isinstance(func, ast.Lambda):
        return frame.module, func
    if not isinstance(func, ast.Name | ast.Attribute) or fact is None:
        return None
    path = fact.detail if fact.kind == "function" and fact.own else ""
    if fact.kind == "other":
        path = f"{fact.detail}.__call__"
    found = [(m, f) for m in context.modules.values() for f in _functions_at(m, path)]
    return found[0] if len(found) == 1 else None


def _unwrapped(module: Module, func: ast.expr) -> ast.expr:
    """Return the function inside the transformations that do not change what it returns."""
    while isinstance(func, ast.Call) and func.args:
        if transformation(module, func.func) not in _KEEPS_RESULT:
            return func
        func = bound_value(module, func.args[0])
    return func


def _functions_at(module: Module, path: str) -> Iterator[Definition]:
    """List the functions that a path names: `train.step`, or `train.Model.__call__` of a class."""
    owner, _, name = path.rpartition(".")
    for function in module.functions:
        if not isinstance(function, Definition) or function.name != name:
            continue
        around = module.parents.get(function)
        is_there = not isinstance(around, ast.ClassDef) or around.name == last_part(owner)
        if is_there and all(_keeps_result(module, d) for d in function.decorator_list):
            yield function


def _keeps_result(module: Module, decorator: ast.expr) -> bool:
    inner = decorator
    if isinstance(inner, ast.Call):
        inner = inner.args[0] if inner.args and _is_partial(module, inner) else inner.func
    return transformation(module, inner) in _KEEPS_RESULT


def _is_partial(module: Module, call: ast.Call) -> bool:
    return (module.dotted(call.func) or "") == "functools.partial"


# ---------------------------------------------------------------- keys, shapes, rounds


def _keys(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> Keys | None:
    if not isinstance(value, ast.Call) or frame.callee(value) != "jax.random.split":
        return None
    count = argument(value, 1, "num")
    if count is not None and not (isinstance(count, ast.Constant) and count.value is not Ellipsis):
        return None
    given = count.value if isinstance(count, ast.Constant) else 2
    if not isinstance(given, int) or given == len(target.elts):
        return None
    facts = {
        **_unpacking_facts(frame, target, value),
        "detail": _count_in_words(given, "key", "keys"),
    }
    facts["argument"] = _count_in_words(len(target.elts), "key", "keys")
    facts["condition"] = str(len(target.elts))
    facts["function"] = frame.module.text(value.func)
    return Keys(
        frame.place(target), facts, "keys", context=context, target=target, value=value, split=value
    )


def _unpacked_shape(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> Unpacking | None:
    """Match `height, width = image.shape` of an array with more or fewer axes."""
    if not isinstance(value, ast.Attribute) or value.attr != "shape":
        return None
    fact = frame.fact(value.value)
    said = _TYPE.match(fact.detail) if fact is not None else None
    got = _GOT.search(context.message)
    if fact is None or said is None:
        axes = int(got[1]) if got is not None else None
    else:
        axes = len(said[1].split(",")) if said[1] else 0
    if axes is None or axes == len(target.elts):
        return None
    facts = {
        **_unpacking_facts(frame, target, value),
        "name": frame.module.text(value.value),
        "aval": fact.detail if fact is not None and said is not None else f"array of {axes} axes",
        "detail": "no axes" if axes == 0 else _count_in_words(axes, "axis", "axes"),
        "argument": _count_in_words(len(target.elts), "axis", "axes"),
    }
    form = "fewer_axes" if axes < len(target.elts) else "more_axes"
    place = frame.place(target)
    return Unpacking(place, facts, form, context=context, target=target, value=value)


class BatchRows(Unpacking, frozen=True, kw_only=True):
    """The value is a batch of what was meant: `call` passes it, as its only argument."""

    caller: FrameContext
    call: ast.Call


def _unpacked_rows(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> Unpacking | None:
    """Match an array that is unpacked along its first axis, which has another size."""
    fact = frame.fact(value)
    said = _TYPE.match(fact.detail) if fact is not None and fact.kind in _ARRAYS else None
    sizes = [int(n) for n in said[1].split(",")] if said is not None and said[1] else []
    if fact is None or not sizes or sizes[0] == len(target.elts):
        return None
    facts = {
        **_unpacking_facts(frame, target, value),
        "aval": fact.detail,
        "detail": _count_in_words(sizes[0], "row", "rows"),
    }
    place = frame.place(target)
    passed = _passing(context, fact.detail) if sizes[1:] == [len(target.elts)] else None
    if passed is None:
        return Unpacking(place, facts, "rows", context=context, target=target, value=value)
    caller, call = passed
    facts["condition"] = f"jax.vmap({caller.module.text(call.func)})"
    facts["function"] = caller.module.text(call)
    return BatchRows(
        caller.place(call),
        facts,
        "batch",
        context=context,
        target=target,
        value=value,
        caller=caller,
        call=call,
    )


def _passing(context: FailureContext, aval: str) -> tuple[FrameContext, ast.Call] | None:
    """Return the outermost call that passes an array of a type, as its only argument."""
    for frame in context.frames[:-1]:
        call = frame.node
        if isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords:
            fact = frame.fact(call.args[0])
            if fact is not None and fact.kind in _ARRAYS and fact.detail == aval:
                return frame, call
    return None


def _library_result(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, value: ast.expr
) -> Unpacking | None:
    """Match the result of a library's function, of which Python counted the parts."""
    got = _GOT.search(context.message)
    if not isinstance(value, ast.Call) or got is None or frame.is_own(value.func):
        return None
    said = next((d.text for d in context.failure.documentation), "")
    facts = {
        **_unpacking_facts(frame, target, value),
        "function": frame.module.text(value.func),
        "detail": _count_in_words(int(got[1]), "value", "values"),
        "condition": said,
    }
    form = "documented" if said else "result"
    place = frame.place(target)
    return Unpacking(place, facts, form, context=context, target=target, value=value)


def _in_rounds(
    context: FailureContext, frame: FrameContext, target: ast.Tuple | ast.List, loop: Loop
) -> Rounds | None:
    source = loop.iter
    form = ""
    if isinstance(source, ast.Call) and getattr(source.func, "id", "") == "enumerate":
        form = "enumerate" if len(target.elts) > 2 and _is_zip(source) else ""
    elif frame.kind(source) == "dict":
        form = "dict" if len(target.elts) == 2 else ""
    if not form:
        return None
    facts = _unpacking_facts(frame, target, source)
    facts["condition"] = _nested(frame.module, target)
    place = frame.place(target)
    return Rounds(place, facts, form, context=context, target=target, value=source)


def _is_zip(call: ast.Call) -> bool:
    inner = call.args[0] if call.args else None
    return isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "zip"


def _nested(module: Module, target: ast.Tuple | ast.List) -> str:
    """Write the names of a loop over `enumerate(zip(…))`: `i, (x, y)`."""
    first, *rest = (module.text(e) for e in target.elts)
    return f"{first}, ({', '.join(rest)})"
