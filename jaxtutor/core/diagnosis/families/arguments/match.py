"""Matches the causes in what functions are given: shapes, containers, classes, None."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from jaxtutor.core.data.failures import NameFact
from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.families.arguments import metric_labels
from jaxtutor.core.diagnosis.families.arguments.diffusion import (
    diffusion,
    solved_without_args,
)
from jaxtutor.core.diagnosis.families.arguments.einsum import labels
from jaxtutor.core.diagnosis.families.arguments.layers import misfit_layer, swapped_cell
from jaxtutor.core.diagnosis.families.arguments.odeint_args import (
    FunctionForField,
    function_for_field,
)
from jaxtutor.core.diagnosis.families.arguments.plates import group_values, in_plate
from jaxtutor.core.diagnosis.families.arguments.shapes import (
    operand_types,
    shapes_in,
    values_of_shapes,
)
from jaxtutor.core.diagnosis.families.arguments.tables import unfit_table
from jaxtutor.core.diagnosis.families.static_args.match import unreadable_argument
from jaxtutor.core.diagnosis.library_calls import (
    PACKAGES,
    is_module_of,
    library_call,
    place_of_call,
)
from jaxtutor.core.diagnosis.reading import argument, keyword_of, parameters, returned
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, Match, at_call, at_frame
from jaxtutor.core.diagnosis.source import Module, path_of
from jaxtutor.core.diagnosis.transforms import (
    AppliedTransform,
    find,
    find_in_frames,
    name_of,
    place_of,
    result_place,
)

_NOT_VALID = re.compile(r"of type '?<class '([^']*)'>'? is not a valid JAX type")
_RETURNED = re.compile(
    r"function (\S+) at (\S+):(\d+) traced for \w+ returned a value of type <class '([^']*)'>.*"
    r"not a valid JAX type"
)
_JOINING = frozenset(
    {"concatenate", "stack", "hstack", "vstack", "dstack", "column_stack", "concat", "block"}
)
_ARRAY_NAMES = frozenset(
    """shape dtype ndim size T at astype reshape sum mean max min std var prod dot flatten ravel
    transpose squeeze item tolist copy argmax argmin clip any all cumsum cumprod round take repeat
    swapaxes conj real imag block_until_ready device devices sharding nbytes itemsize diagonal trace
    argsort sort""".split()
)
_SCALARS = re.compile(r"'(int|float|bool|complex)' object has no attribute '(\w+)'")
_NOT_OPERAND = re.compile(
    r"operand type\(s\) for \S+: '"
    r"(?:list' and '\w*(?:Array|Tracer)|\w*(?:Array|Tracer)\w*' and 'list')"
    r"|argument to \w+ as a JAX value\. The problematic value is of type <class 'list'>"
)
_NOT_TAKEN = re.compile(
    r"requires? (?:ndarray|array) or scalar arguments?.*got <class '(list|tuple)'>"
)


class NotAJaxType(Match, frozen=True, kw_only=True):
    """An object that JAX cannot take apart: of a class that is not a pytree, or a model.

    `call` is the call that a model with functions in it was passed to, and `model` the argument.
    """

    classes: tuple[tuple[Module, ast.ClassDef], ...] = ()
    context: FailureContext
    call: ast.Call | None = None
    model: ast.expr | None = None
    transform: AppliedTransform | None = None


_CALLED = re.compile(r"<function (?:[\w.<>]*\.)?(\w+) at 0x")
"""How JAX names the transformed function; the frame is that of its caller."""


def not_a_jax_type(context: FailureContext) -> NotAJaxType | FunctionForField | None:
    """An object of a class that is not a pytree is passed to a transformed function."""
    return (
        function_for_field(context)
        or _functions_in_model(context)
        or _returned(context)
        or _unregistered(context)
        or _text_in_tree(context)
    )


_OF_TREES = ("grad", "value_and_grad", "vmap", "jacfwd", "jacrev", "hessian")


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
    kind = said[4].rpartition(".")[2]
    module = context.modules.get(said[2])
    function = module.function_at(said[1].rpartition(".")[2], int(said[3])) if module else None
    classes = _classes_named(context, kind)
    if module is None and classes:
        return _returned_inside(context, kind, classes)
    if module is None or function is None:
        return None
    facts = {"name": kind, "function": name_of(function) or "the function"}
    form = "returned" if classes else "returned_value"
    place = result_place(module, function)
    return NotAJaxType(place, facts, form, context=context, classes=classes)


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


_FUNCTION_CLASSES = (
    r"<class '(?:function|builtin_function_or_method|method|functools\.partial|type"
    r"|jax\._src\.custom_derivatives\.custom_[jv][jv]p|jaxlib\.\S*PjitFunction)'>"
)
_FUNCTION_LEAF = re.compile(
    rf"{_FUNCTION_CLASSES}|operand type\(s\) for .*'(?:custom_jvp|function|\w*PjitFunction)'"
)
_FILTERED = ("jit", "grad", "value_and_grad", "vmap", "scan")


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
    names = node.elts if isinstance(node, ast.Tuple | ast.List) else [node]
    return any(is_module_of("equinox", frame, name) for name in names)


def _makes_models(
    context: FailureContext, frame: FrameContext, transform: AppliedTransform | None
) -> bool:
    """Return whether a mapped function builds Equinox modules, or is a module class itself."""
    if transform is None or transform.kind != "vmap" or transform.call is None:
        return False
    mapped = transform.function or (transform.call.args[0] if transform.call.args else None)
    called = [n.func for n in ast.walk(mapped) if isinstance(n, ast.Call)] if mapped else []
    made = [*called, mapped]
    is_layer = any((frame.module.dotted(n) or "").startswith("equinox.nn.") for n in made)
    names = {(path_of(n) or "").rpartition(".")[2] for n in made}
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
    name = kind.rpartition(".")[2]
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


def none_argument(context: FailureContext) -> AtFrame | None:
    """None stands for a missing array and is used as one."""
    name = _none_name(context.frame) if context.frame is not None else ""
    solved = solved_without_args(context, name) if name else None
    if solved is not None:
        return solved
    return at_frame(context, {"name": name, "argument": name}) if name else None


def _none_name(frame: FrameContext) -> str:
    """Name the parameter, or the attribute, that is None in the expression at fault."""
    given = {a.arg for a in parameters(frame.function)}
    unpacked = frame.module.parents.get(frame.node) if isinstance(frame.node, ast.Tuple) else None
    value = unpacked.value if isinstance(unpacked, ast.Assign) else None
    if isinstance(value, ast.Name) and value.id in given and frame.kind(value) == "none":
        return value.id
    part = _only_part(frame.node)
    if part is not None and isinstance(part.value, ast.Name) and part.value.id in given:
        return frame.module.text(part)
    for node in ast.walk(frame.node) if frame.node is not None else ():
        if isinstance(node, ast.Name) and node.id in given and frame.kind(node) == "none":
            return node.id
        if isinstance(node, ast.Attribute) and frame.kind(node) == "none":
            return frame.module.text(node)
    return ""


def _only_part(node: ast.AST | None) -> ast.Subscript | None:
    """Find the one part of a parameter (`p["b"]`) among the operands of an operation."""
    operands = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    parts = [n for n in operands if isinstance(n, ast.Subscript)]
    return parts[0] if len(parts) == 1 else None


# ---------------------------------------------------------------- shapes and containers


def where_shapes(context: FailureContext) -> AtCall | None:
    """A jnp.where over one boolean chooses between two shapes."""
    call = at_call(context)
    shapes = re.search(r"\[\(([\d, ]+)\), \(([\d, ]+)\)\]$", context.message)
    if call is None or call.path != "jax.numpy.where" or shapes is None or len(call.node.args) != 3:
        return None
    test = call.node.args[0]
    is_one = isinstance(test, ast.Compare) and all(
        isinstance(part, ast.Constant) or _is_scalar(call.frame, part)
        for part in (test.left, *test.comparators)
    )
    facts = {"condition": call.module.text(test)}
    facts |= {"argument": f"({shapes[1]})", "container": f"({shapes[2]})"}
    return replace(call, facts=facts) if is_one or _is_scalar(call.frame, test) else None


def _is_scalar(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    return fact is not None and (fact.kind == "number" or fact.detail.endswith("[]"))


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
    special = diffusion(context) or labels(context) or swapped_cell(context)
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


_PARTS = re.compile(r"same shape, got \((\d+),?\) and \((\d+),?\)")
_CHANNELS = re.compile(r"but (\d+) // \d+ != \d+")
_RANKS = re.compile(r"needs to have rank (\d+).*?has shape \(([\d, ]*)\)")


def _batch_to_model(context: FailureContext) -> BatchToModel | None:
    """Find the call of the model, outside of its own methods, that passes a batch."""
    if context.library != "equinox":
        return None
    for frame, inner in zip(context.frames, [*context.frames[1:], None], strict=True):
        call = frame.node
        if not isinstance(call, ast.Call) or not is_module_of("equinox", frame, call.func):
            continue
        if not call.args or not _is_batch(_given(frame, inner, call), context.message):
            return None
        facts = {"name": frame.module.text(call.func), "argument": frame.module.text(call.args[0])}
        return BatchToModel(
            frame.place(call), facts, "batch", context=context, frame=frame, node=call
        )
    return None


def _given(frame: FrameContext, inner: FrameContext | None, call: ast.Call) -> NameFact | None:
    """Return what the first argument of a model's call was, as the caller or the model names it."""
    known = frame.fact(call.args[0])
    named = [a.arg for a in parameters(inner.function)] if inner is not None else []
    if known is None and inner is not None and named[:1] == ["self"] and len(named) > 1:
        return inner.fact(named[1])
    return known


def _is_batch(fact: NameFact | None, message: str) -> bool:
    """Return whether an argument has an axis more than the layer that refused it takes."""
    sizes, ranks = _PARTS.search(message), _RANKS.search(message)
    if fact is None:  # an expression without a name, of which only a convolution says the shape
        return ranks is not None and ranks[2].count(",") == int(ranks[1])
    shape = re.findall(r"\d+", fact.detail.partition("[")[2])
    return len(shape) >= 2 and (sizes is None or shape[-1] == sizes[1])


_BROADCAST = re.compile(r"for broadcasting: (\([\d, ]*\), \([\d, ]*\))")


def broadcast(context: FailureContext) -> AtFrame | None:
    """Two shapes cannot be broadcast together."""
    in_loop = context.passed_through("scan", "while_loop", "cond", "shard_map")
    if in_loop:
        return None
    special = _attention_mask(context) or unfit_table(context)
    if special is not None:
        return special
    found = at_frame(context)
    if found is not None and found.call is not None and _is_loss_of_labels(found.frame, found.call):
        return _labels(context, found.frame, found.call)
    said = _BROADCAST.search(context.message)
    if found is not None and said is not None and context.library == "optax":
        return replace(found, form="leaves", facts={"detail": said[1].replace("), (", ") and (")})
    if found is not None and context.passed_through("plate.process_message"):
        return in_plate(context, found)
    if found is None:
        return None
    return group_values(context, found) or _operands_of(context, found)


class MaskWithoutHeads(AtCall, frozen=True, kw_only=True):
    """A call of attention with a mask that lacks axes; `mask` is what is passed."""

    mask: ast.expr


_MASKS = {
    1: ("the batch and the keys", "[:, None, None, :]"),
    2: ("the batch, the queries and the keys", "[:, None]"),
}


def _attention_mask(context: FailureContext) -> MaskWithoutHeads | None:
    """Return the call of attention whose mask has no axis for the heads."""
    call = at_call(context)
    option = keyword_of(call.node, "mask") if call is not None else None
    if call is None or option is None or not context.passed_through(*_ATTENTION):
        return None
    fact, text = call.frame.fact(option.value), call.module.text(option.value)
    axes = _MASKS.get(fact.detail.count(",")) if fact is not None else None
    if fact is None or axes is None or not fact.detail.endswith("]"):
        return None
    facts = {"name": text, "detail": fact.detail, "condition": axes[0], "argument": text + axes[1]}
    return MaskWithoutHeads(
        call.frame.place(option.value),
        facts,
        "attention",
        context=context,
        frame=call.frame,
        node=call.node,
        mask=option.value,
    )


_ATTENTION = ("dot_product_attention", "dot_product_attention_weights", "_dot_product_attention")


def _operands_of(context: FailureContext, found: AtFrame) -> AtFrame:
    """Add the types of the operands, or the values of these shapes that went into a call."""
    shapes = shapes_in(context.message)
    types = operand_types(found.frame, found.at)
    detail = types or " and ".join(shapes)
    if not detail:
        return found
    passed = {name.partition(".")[0] for name in context.failure.jax_frames}
    is_inside = found.call is not None and bool(passed & PACKAGES)
    values = ", ".join(values_of_shapes(context, shapes)) if is_inside else ""
    facts = {"detail": detail, "argument": values}
    form = "inside_named" if values else "inside" if is_inside else "operands"
    return replace(found, form=form, facts=facts)


class WrongLabels(AtCall, frozen=True, kw_only=True):
    """A cross entropy with labels of the form that the other one takes; `other` is its path."""

    other: str


_LOSSES = {
    "softmax_cross_entropy": "softmax_cross_entropy_with_integer_labels",
    "softmax_cross_entropy_with_integer_labels": "softmax_cross_entropy",
}


_REFUSED_LABELS = re.compile(r"subdtype of <class 'numpy\.integer'>, got (\w+)")


def _is_loss_of_labels(frame: FrameContext, call: ast.Call) -> bool:
    path = frame.callee(call) or ""
    return path.startswith("optax.") and path.rpartition(".")[2] in _LOSSES


def _labels(context: FailureContext, frame: FrameContext, call: ast.Call) -> WrongLabels | None:
    """Return the call of a cross entropy, if its labels fit the other one."""
    path = frame.callee(call) or ""
    other = _LOSSES[path.rpartition(".")[2]]
    given = argument(call, 1, "labels")
    fact = frame.fact(given)
    refused = _REFUSED_LABELS.search(context.message)
    detail = fact.detail if fact is not None else refused[1] if refused is not None else ""
    if given is None or not detail:
        return None
    is_whole = detail.startswith(("int", "uint"))
    if is_whole is not other.endswith("_integer_labels"):
        return None
    facts = {"name": frame.module.text(given), "detail": detail, "function": f"optax.{other}"}
    return WrongLabels(
        None, facts, "labels", context=context, frame=frame, node=call, path=path, other=other
    )


def not_sequence(context: FailureContext) -> AtCall | None:
    """Arrays are passed to concatenate or stack as separate arguments."""
    call = at_call(context)
    if call is None or len(call.node.args) < 2:
        return None
    first, second = call.node.args[:2]
    if not joins(call.path):
        # `jnp.stack` itself was passed to a function, which called it with the arrays.
        handed = context.passed_through(*_JOINING) and joins(call.frame.dotted(first))
        return call if handed else None
    return call if _is_array(call.frame, first) and not _is_number(second) else None


def joins(path: str | None) -> bool:
    """Return whether a function makes one array of a sequence of them."""
    is_library = (path or "").startswith(("jax.", "numpy."))
    return is_library and (path or "").rpartition(".")[2] in _JOINING


def _is_array(frame: FrameContext, node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple | ast.ListComp | ast.Starred):
        return False
    return frame.kind(node) in ("array", "tracer", "ndarray", None)


def _is_number(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def ragged(context: FailureContext) -> AtFrame | None:
    """An array is made of lists of unequal length."""
    path = context.frame.callee(context.node) if context.frame is not None else None
    is_made = path in ("jax.numpy.array", "jax.numpy.asarray")
    is_said = "inhomogeneous shape" in context.message
    return at_frame(context) if is_said or is_made else None


def list_argument(context: FailureContext) -> AtFrame | None:
    """A list is passed to a jnp function that takes arrays only."""
    taken = _NOT_TAKEN.search(context.message)
    if taken is None and _NOT_OPERAND.search(context.message) is None:
        return None
    found = at_frame(context, {"name": "list"})
    is_tuple = found is not None and taken is not None and taken[1] == "tuple"
    return replace(found, form="tuple") if found is not None and is_tuple else found


def python_scalar(context: FailureContext) -> AtFrame | None:
    """An attribute that only an array has is read from a Python number."""
    found, node = _SCALARS.search(context.message), context.node
    if found is None or found[2] not in _ARRAY_NAMES or context.frame is None:
        return None
    if not isinstance(node, ast.Attribute):
        return at_frame(context)
    return at_frame(context, {"name": context.frame.module.text(node.value)})


_MODEL_CALLS = ("apply", "apply_fn", "init", "init_with_output", "lazy_init")


def index_of_floats(context: FailureContext) -> AtFrame | None:
    """An embedding, or an array, is indexed with floats."""
    frame = context.frame
    if frame is None:
        return None
    if context.call is not None and _is_loss_of_labels(frame, context.call):
        return _labels(context, frame, context.call)
    if (refused := metric_labels.float_labels(context)) is not None:
        return refused
    outer = library_call(context, *_MODEL_CALLS) if context.library == "flax" else None
    here, call = outer if outer is not None else (frame, context.call)
    facts = {"function": place_of_call(here, call) if call is not None else ""}
    place = here.place(call) if outer is not None and call is not None else None
    form = "embed" if context.library == "flax" else ""
    return AtFrame(place, facts, form, context=context, frame=frame)


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
