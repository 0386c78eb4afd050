"""Matches objects that JAX cannot take or return: classes, functions, texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.loops.loops import INIT_POSITIONS
from jaxtutor.core.diagnosis.causes.python.function_leaves import (
    FunctionLeaves,
    function_leaves,
)
from jaxtutor.core.diagnosis.causes.shapes.odeint_args import (
    FunctionForField,
    function_for_field,
)
from jaxtutor.core.diagnosis.causes.tracing.static_arguments import unreadable_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import Match
from jaxtutor.core.diagnosis.engine.named_parts import named_parts
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    find,
    name_of,
    place_of,
    result_place,
)
from jaxtutor.core.diagnosis.reading.calls import argument, calls_in
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.library_calls import is_module_of
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import elements_or_itself

_NOT_VALID = re.compile(r"of type '?<class '([^']*)'>'? is not a valid JAX type")
_RETURNED = re.compile(
    r"function (\S+) at (\S+):(\d+) traced for \w+ returned a value of type <(\w+) '([^']*)'>.*"
    r"not a valid JAX type"
)
_CALLED = re.compile(r"<function (?:[\w.<>]*\.)?(\w+) at 0x")
"""How JAX names the transformed function; the frame is that of its caller."""
_OF_TREES = ("grad", "value_and_grad", "vmap", "jacfwd", "jacrev", "hessian")
_FUNCTION_CLASSES = (
    r"<class '(?:function|builtin_function_or_method|method|functools\.partial|type"
    r"|jax\._src\.custom_derivatives\.custom_[jv][jv]p|jaxlib\.\S*PjitFunction)'>"
)
_FUNCTION_LEAF = re.compile(
    rf"{_FUNCTION_CLASSES}|operand type\(s\) for .*'(?:custom_jvp|function|\w*PjitFunction)'"
)
_MAKE_FUNCTIONS = {f"jax.{name}" for name in (*_OF_TREES, "checkpoint", "remat")}
_FILTERED = ("jit", "grad", "value_and_grad", "vmap", "scan")


class NotAJaxType(Match, frozen=True, kw_only=True):
    """An object that JAX cannot take apart: of a class that is not a pytree, or a model.

    `call` is the call that a model with functions in it was passed to, and `model` the argument.
    """

    classes: tuple[tuple[Module, ast.ClassDef], ...] = ()
    context: FailureContext
    call: ast.Call | None = None
    model: ast.expr | None = None
    transform: AppliedTransform | None = None


def not_a_jax_type(
    context: FailureContext,
) -> NotAJaxType | FunctionForField | FunctionLeaves | None:
    """An object of a class that is not a pytree is passed to a transformed function."""
    if not context.is_a(("TypeError",)):
        return function_leaves(context)
    return (
        function_leaves(context)
        or function_for_field(context)
        or _functions_in_model(context)
        or _returned(context)
        or _unregistered(context)
        or _text_in_tree(context)
        or _carried(context)
    )


def _carried(context: FailureContext) -> NotAJaxType | None:
    """The carry that a loop starts with holds something that JAX does not take, such as a text."""
    part, loop = context.failure.part, find(context, *INIT_POSITIONS)
    if part is None or not part.is_inner or loop is None or loop.call is None:
        return None
    init = argument(loop.call, INIT_POSITIONS[loop.kind], "init", "init_val")
    is_carry = init is not None and part.path.startswith((loop.module.text(init), "[", "."))
    if not is_carry or _NOT_VALID.search(context.message) is None:
        return None
    name = loop.module.text(loop.call.func)
    facts = {"argument": part.path, "name": name, "condition": part.said}
    return NotAJaxType(None, facts, "carried", context=context)


def _text_in_tree(context: FailureContext) -> NotAJaxType | None:
    """A dict or list that is differentiated or mapped holds a text."""
    call, holders = context.call, context.failure.holders
    transform = find(context, *_OF_TREES)
    if (
        call is None
        or not holders
        or transform is None
        or _NOT_VALID.search(context.message) is None
    ):
        return None
    frame, first = context.frame, holders[0]
    assert frame is not None
    given = [t for a in call.args if first.startswith(t := frame.module.text(a))]
    facts = {"name": first, "argument": given[0] if given else "", "container": transform.kind}
    return NotAJaxType(None, facts, "text", context=context, call=call)


def _returned(context: FailureContext) -> NotAJaxType | None:
    """A transformed function returns an object that is neither an array nor a pytree."""
    said = _RETURNED.search(context.message)
    if said is None:
        return None
    kind = last_part(said[5])
    module = context.modules.get(said[2])
    function = module.function_at(last_part(said[1]), int(said[3])) if module else None
    classes = _classes_named(context, kind) if said[4] == "class" else ()  # not an enumeration
    if module is None and classes:
        return _returned_inside(context, kind, classes)
    if module is None or function is None:
        return None
    facts = {"name": kind, "function": name_of(function) or "the function"}
    part = next((p.path for p in named_parts(context.message) if p.role == "returned"), "")
    facts |= {"argument": part} if part else {}
    value = "returned_part" if part else "returned_value"
    if kind == "function" and not part and (made := _made_function(module, function)):
        facts["expression"], value = made, "returned_function"
    form = "returned" if classes else value
    place = result_place(module, function)
    return NotAJaxType(place, facts, form, context=context, classes=classes)


def _made_function(module: Module, function: FunctionNode) -> str:
    """Return the text of a call such as `jax.grad(f)`, if it is all that a function returns."""
    results = returned(function)
    result = results[0] if len(results) == 1 else None
    if not isinstance(result, ast.Call) or module.dotted(result.func) not in _MAKE_FUNCTIONS:
        return ""
    return " ".join(module.text(result).split())


def _returned_inside(
    context: FailureContext, kind: str, classes: tuple[tuple[Module, ast.ClassDef], ...]
) -> NotAJaxType | None:
    """Return the one function of the learner's that returns such an object through a library's."""
    found = [
        (module, function)
        for module in context.modules.values()
        for function in module.functions
        for result in returned(function)
        if isinstance(result, ast.Call) and path_of(result.func) == kind
    ]
    if len(found) != 1:
        return None
    module, function = found[0]
    facts = {"name": kind, "function": name_of(function) or "the function"}
    place = result_place(module, function)
    return NotAJaxType(place, facts, "returned", context=context, classes=classes)


def _classes_named(context: FailureContext, name: str) -> tuple[tuple[Module, ast.ClassDef], ...]:
    nodes = ((m, n) for m in context.modules.values() for n in m.nodes)
    return tuple((m, n) for m, n in nodes if isinstance(n, ast.ClassDef) and n.name == name)


def _functions_in_model(context: FailureContext) -> NotAJaxType | None:
    """Return the call that passes a module of Equinox whose leaves include functions."""
    frame, call = context.frame, context.call
    if frame is None or _FUNCTION_LEAF.search(context.message) is None:
        return None
    if call is None or context.library not in ("", "optax"):
        return None
    models = [a for a in call.args if _is_model(frame, a)]
    transform = find(context, *_FILTERED)
    if not models and not _makes_models(context, frame, transform):
        return None
    name = frame.module.text(models[0]) if models else ""
    form = "function_in_model" if transform is not None else "function_in_tree"
    form = form if models else "model_returned"
    facts = {"argument": name, "name": _callee_text(frame, call, transform)}
    is_jit = transform is not None and transform.kind == "jit"
    place = place_of(transform) if transform is not None and is_jit else None
    return NotAJaxType(
        place,
        facts,
        form,
        context=context,
        call=call,
        model=models[0] if models else None,
        transform=transform,
    )


def _is_model(frame: FrameContext, node: ast.expr) -> bool:
    names = elements_or_itself(node)
    return any(is_module_of("equinox", frame, name) for name in names)


def _makes_models(
    context: FailureContext, frame: FrameContext, transform: AppliedTransform | None
) -> bool:
    """Return whether a mapped function builds Equinox modules, or is a module class itself."""
    if transform is None or transform.kind != "vmap" or transform.call is None:
        return False
    mapped = transform.function or (transform.call.args[0] if transform.call.args else None)
    called = [n.func for n in calls_in(mapped)] if mapped else []
    made = [*called, mapped]
    is_layer = any((frame.module.dotted(n) or "").startswith("equinox.nn.") for n in made)
    names = {last_name(n) for n in made}
    return is_layer or bool(names & set(_model_classes(context)))


def _model_classes(context: FailureContext) -> Iterator[str]:
    """Yield the names of the learner's classes of models of Equinox."""
    for module in context.modules.values():
        for node in module.nodes:
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            if isinstance(node, ast.ClassDef) and "equinox.Module" in map(module.dotted, bases):
                yield node.name


def _callee_text(frame: FrameContext, call: ast.Call, transform: AppliedTransform | None) -> str:
    if transform is None:
        return frame.module.text(call.func)
    node = transform.node
    func = node.func if isinstance(node, ast.Call) else node
    inner = func.func if isinstance(func, ast.Call) else func
    return transform.module.text(inner)


def _unregistered(context: FailureContext) -> NotAJaxType | None:
    jitted, valid = unreadable_argument(context), _NOT_VALID.search(context.message)
    kind = jitted[0] if jitted is not None else valid[1] if valid is not None else ""
    name = last_part(kind)
    classes = _classes_named(context, name)
    if not classes:
        return None
    facts = {"name": name}
    if jitted is not None and jitted[1]:
        facts["argument"] = jitted[1]
    if called := _CALLED.search(context.message):
        facts["function"] = called[1]
    # Where the call is not the learner's, as in a lesson's checks, the class still is.
    module, node = classes[0]
    place = module.location(module.header(node)) if context.frame is None else None
    return NotAJaxType(place, facts, context=context, classes=classes)
