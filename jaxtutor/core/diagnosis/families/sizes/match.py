"""Matches the causes in which a size, an axis or a count has to be static and is not."""

from __future__ import annotations

import ast
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.call_values import jit_of, python_argument
from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.reading import argument
from jaxtutor.core.diagnosis.rules import AtCall, AtFrame, AtNode, at_call, at_frame, at_node
from jaxtutor.core.diagnosis.source import Location

# Where each function takes a size: position in a call of the function, and names.
_SIZES: dict[str, tuple[tuple[int | None, tuple[str, ...]], ...]] = {
    **dict.fromkeys("zeros ones empty full ShapeDtypeStruct".split(), ((0, ("shape",)),)),
    **dict.fromkeys("zeros_like ones_like full_like categorical".split(), ((None, ("shape",)),)),
    **dict.fromkeys("eye tri".split(), ((0, ("N",)), (1, ("M",)))),
    **dict.fromkeys("identity diag_indices".split(), ((0, ("n",)),)),
    "tile": ((1, ("reps",)),),
    "reshape": ((1, ("shape", "newshape")),),
    **dict.fromkeys(
        """broadcast_to broadcasted_iota broadcast_in_dim normal uniform randint exponential gumbel
        laplace bits rademacher""".split(),
        ((1, ("shape",)),),
    ),
    "resize": ((1, ("new_shape",)),),
    **dict.fromkeys("linspace logspace geomspace".split(), ((2, ("num",)),)),
    "indices": ((0, ("dimensions",)),),
    "pad": ((1, ("pad_width",)),),
    "vander": ((1, ("N",)),),
    **dict.fromkeys("hanning hamming blackman bartlett kaiser".split(), ((0, ("M",)),)),
    **dict.fromkeys("tril_indices triu_indices".split(), ((0, ("n",)), (2, ("m",)))),
    "iota": ((1, ("size",)),),
    "broadcast": ((1, ("sizes",)),),
    "top_k": ((1, ("k",)),),
    "split": ((1, ("num", "indices_or_sections")),),
    "array_split": ((1, ("indices_or_sections",)),),
    **dict.fromkeys("choice bernoulli poisson gamma dirichlet".split(), ((2, ("shape",)),)),
    "permutation": ((1, ("x",)),),
    **dict.fromkeys("truncated_normal beta multivariate_normal".split(), ((3, ("shape",)),)),
    "ball": ((1, ("d",)), (3, ("shape",))),
    "orthogonal": ((1, ("n",)), (2, ("shape",))),
    **dict.fromkeys("nonzero flatnonzero argwhere where unique".split(), ((None, ("size",)),)),
    "bincount": ((2, ("length",)), (None, ("minlength",))),
    **dict.fromkeys(
        "segment_sum segment_max segment_min segment_prod".split(), ((2, ("num_segments",)),)
    ),
    "histogram": ((1, ("bins",)),),
    **dict.fromkeys("fft ifft rfft irfft".split(), ((1, ("n",)),)),
}

# Functions whose result has as many elements as the data says, unless a size is given.
_DATA_SIZED = {
    "where": "size",
    "nonzero": "size",
    "flatnonzero": "size",
    "argwhere": "size",
    "unique": "size",
    "unique_values": "size",
    "unique_counts": "size",
    "unique_inverse": "size",
    "unique_all": "size",
    "union1d": "size",
    "intersect1d": "size",
    "setdiff1d": "size",
    "setxor1d": "size",
    "extract": "size",
    "compress": "size",
    "bincount": "length",
    "segment_sum": "num_segments",
    "segment_max": "num_segments",
    "segment_min": "num_segments",
    "segment_prod": "num_segments",
    "delete": "assume_unique_indices",
    "fromdense": "nse",
    "bcoo_fromdense": "nse",
    "bcsr_fromdense": "nse",
}

_AXIS_NAMES = ("axis", "axes", "axis1", "axis2", "source", "destination", "dimension", "dim")
_STATIC_NAMES = {
    "tril": ((1, ("k",)),),
    "triu": ((1, ("k",)),),
    "diag": ((1, ("k",)),),
    "diagonal": ((1, ("offset",)),),
    "trace": ((1, ("offset",)),),
    "eye": ((2, ("k",)),),
    "tri": ((2, ("k",)),),
    "diff": ((1, ("n",)),),
    "rot90": ((1, ("k",)),),
    "matrix_power": ((1, ("n",)),),
    "convolve": ((2, ("mode",)),),
    "one_hot": (),
    "polyfit": ((2, ("deg",)),),
    "roll": (),
}
_REDUCTIONS = (
    "sum mean max min prod any all std var argmax argmin median cumsum cumprod ptp".split()
)
_AXES: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(_REDUCTIONS, (1,)),
    "sort": (1,),
    "argsort": (1,),
    "swapaxes": (1, 2),
    "moveaxis": (1, 2),
    "rollaxis": (1, 2),
    "transpose": (1,),
    "concatenate": (1,),
    "stack": (1,),
    "take_along_axis": (2,),
    "take": (2,),
    "flip": (1,),
    "expand_dims": (1,),
    "squeeze": (1,),
    "softmax": (1,),
    "log_softmax": (1,),
    "logsumexp": (1,),
    "split": (2,),
    "array_split": (2,),
    "repeat": (2,),
    "roll": (2,),
    "append": (2,),
    "cumulative_sum": (1,),
    "reduce_max": (1,),
    "reduce_min": (1,),
    "reduce_sum": (1,),
}

_NOT_CONCRETE = (
    "ConcretizationTypeError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
)


class StaticDemand(AtCall, frozen=True, kw_only=True):
    """A call of a library's function that needs a static value and gets a tracer."""

    is_method: bool

    @property
    def name(self) -> str:
        """The last part of the function's path."""
        return self.path.rpartition(".")[2]

    def given(self, position: int | None, names: tuple[str, ...]) -> ast.expr | None:
        """Find an argument by the position it has in a call of the function."""
        if position is not None and self.is_method:
            position = position - 1 if position else None
        return argument(self.node, position, *names)

    def traced(self, *where: tuple[int | None, tuple[str, ...]]) -> ast.expr | None:
        """Find the first of some arguments that is traced."""
        found = (self.given(position, names) for position, names in where)
        return next((a for a in found if a is not None and self.frame.is_traced(a)), None)

    def traced_size(self) -> ast.expr | None:
        """Find the traced argument that is a size of the result."""
        if self.path.startswith("numpy.random."):
            sizes = self.node.args if self.name in ("rand", "randn") else ()
            given = [*sizes, self.given(None, ("size",))]
            return next((a for a in given if a is not None and self.frame.is_traced(a)), None)
        size = self.traced(*_SIZES.get(self.name, ()))
        if size is None and self.is_method and self.name in ("reshape", "broadcast_to"):
            size = next((a for a in self.node.args if self.frame.is_traced(a)), None)
        return size

    def traced_axis(self) -> ast.expr | None:
        """Find the traced argument that is an axis."""
        places = [(n, ()) for n in _AXES.get(self.name, ())]
        return self.traced((None, _AXIS_NAMES), *places)


def _demand(context: FailureContext) -> StaticDemand | None:
    """Read the call at fault, if a library's code raised inside it because of a tracer."""
    frame = context.frame
    node = frame.node if frame else None
    if frame is None or not isinstance(node, ast.Call) or not _needs_static(context):
        return None
    path, func = frame.dotted(node.func), node.func
    is_library = path is not None and path.startswith(("jax.", "numpy."))
    is_method = path is None and isinstance(func, ast.Attribute) and not frame.is_own(func)
    if is_method and isinstance(func, ast.Attribute):
        path = func.attr
    if path is None or not (is_library or is_method):
        return None
    return StaticDemand(context=context, frame=frame, node=node, path=path, is_method=is_method)


def _needs_static(context: FailureContext) -> bool:
    """Return whether the failure is a library's complaint that a value is not static."""
    message = context.message
    if context.error in _NOT_CONCRETE:
        return not _is_by_python(context)
    if context.error == "TracerArrayConversionError":
        return context.frame is not None and context.frame.callee(context.node) == "numpy.arange"
    if context.error == "ValueError":
        return "Non-hashable static arguments" in message and "Tracer" in message
    if message.startswith("unhashable type"):
        return bool(context.failure.jax_frames) and "Tracer" in message
    words = ("integer", "hape", "__hash__", "concrete", "static")
    is_type = context.error == "TypeError"
    return is_type and "Tracer" in message and any(word in message for word in words)


def _is_by_python(context: FailureContext) -> bool:
    """Return whether the learner wrote the conversion: `int(x)`, `x.item()`, `if x`."""
    frames = context.failure.jax_frames
    is_tracer = bool(frames) and ".Tracer." in frames[0]
    callee = context.frame.callee(context.node) if context.frame else None
    return is_tracer and not (callee or "").startswith(("jax.", "numpy."))


def _at(demand: StaticDemand, at_fault: ast.expr | None) -> StaticDemand | None:
    if at_fault is None:
        return None
    text = demand.context.argument or demand.module.text(at_fault)
    return replace(demand, facts={"name": demand.name, "argument": text})


# ---------------------------------------------------------------- values that could be static


def on_static_value(context: FailureContext) -> AtFrame | None:
    """A traced value comes from no argument: a jnp function was given static values only."""
    if not context.is_from_constants or _is_from_library(context) or _is_closed_over(context):
        return None
    demand = _demand(context)
    is_slice = _is_static_slice(context) and isinstance(context.node, ast.Subscript)
    by_python = context.error in _NOT_CONCRETE and _is_by_python(context)
    if demand is None and not is_slice and not by_python:
        return None
    if demand is not None and demand.name in _DATA_SIZED and demand.traced_size() is None:
        return None
    return at_frame(context, {"argument": ""}, _first_step(context))


def _is_closed_over(context: FailureContext) -> bool:
    """Return whether a traced parameter of a function around the one at fault is read.

    To JAX it is a constant of the inner function, which a loop or a transformation traces.
    """
    frame, node = context.frame, context.node
    inner = frame.function if frame is not None else None
    if frame is None or node is None or inner is None:
        return False
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and frame.is_traced(n)}
    around = (
        n
        for n in frame.module.nodes
        if isinstance(n, ast.FunctionDef) and n is not inner and inner in ast.walk(n)
    )
    return any(arg.arg in read for n in around for arg in (*n.args.args, *n.args.kwonlyargs))


def _is_from_library(context: FailureContext) -> bool:
    """Return whether a traced value is the result of a library's function, such as a sample."""
    step = context.failure.origin[0]
    module = context.modules.get(step.file or "")
    node = module.node_at(step.span) if module is not None and step.span is not None else None
    path = module.dotted(node.func) if module is not None and isinstance(node, ast.Call) else None
    return path is not None and path.partition(".")[0] not in ("jax", "numpy", "functools")


def _first_step(context: FailureContext) -> Location | None:
    """Return the expression where a static value became traced, if in another statement."""
    step = context.failure.origin[0]
    module = context.modules.get(step.file or "")
    if module is None or step.span is None or step.file is None:
        return None
    node = module.node_at(step.span)
    if node is not None and context.frame and module.statement(node) is context.frame.statement:
        return None
    while node is not None and isinstance(
        outer := module.parents.get(node), ast.Attribute | ast.Call
    ):
        if isinstance(outer, ast.Call) and outer.func is not node:
            break
        node = outer
    return Location(step.file, module.span(node) if node else step.span, step.expression)


# ---------------------------------------------------------------- sizes and counts


def num_classes(context: FailureContext) -> StaticDemand | None:
    """The number of classes is computed from the data."""
    demand = _demand(context)
    if demand is None:
        return None
    if demand.name == "one_hot" and (count := demand.traced((1, ("num_classes",)))) is not None:
        return _at(demand, count)
    return _at(demand, demand.traced_size()) if _is_from_maximum(context) else None


def _is_from_maximum(context: FailureContext) -> bool:
    """Return whether the size was computed as the largest element of an argument."""
    steps = [
        ast.parse(s.expression, mode="eval")
        for s in context.failure.origin
        if _parses(s.expression)
    ]
    return any(
        isinstance(n, ast.Call) and _last_name(n.func) in ("max", "amax")
        for tree in steps
        for n in ast.walk(tree)
    )


def _parses(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def arange_bound(context: FailureContext) -> StaticDemand | None:
    """A bound of arange is traced."""
    return _traced(context, "arange", *((n, ()) for n in range(3)), (None, _ARANGE_NAMES))


_ARANGE_NAMES = ("start", "stop", "step")


def repeat_count(context: FailureContext) -> StaticDemand | None:
    """The count of repeat is traced."""
    return _traced(context, "repeat", (1, ("repeats",)))


def loop_length(context: FailureContext) -> StaticDemand | None:
    """The length of a scan is traced."""
    return _traced(context, "scan", (3, ("length",)))


def slice_size(context: FailureContext) -> StaticDemand | None:
    """The size of a dynamic slice is traced."""
    where = (2, ("slice_sizes", "slice_size"))
    whole = _traced(context, "dynamic_slice", where)
    return whole or _traced(context, "dynamic_slice_in_dim", where)


def _traced(
    context: FailureContext, name: str, *where: tuple[int | None, tuple[str, ...]]
) -> StaticDemand | None:
    """Return a call of one function that gets a tracer as one of some arguments."""
    demand = _demand(context)
    is_named = demand is not None and demand.name == name
    return _at(demand, demand.traced(*where)) if demand is not None and is_named else None


def shape_argument(context: FailureContext) -> AtFrame | None:
    """A shape, a size or a number of things is traced."""
    if _repeats_list(context):
        return at_frame(context)
    demand = _demand(context)
    return _at(demand, demand.traced_size()) if demand is not None else None


def _repeats_list(context: FailureContext) -> bool:
    """Return whether a list is repeated a traced number of times: `[0.0] * n`."""
    node = context.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    said = "unsupported operand type(s) for *" in context.message or context.error in _NOT_CONCRETE
    is_list = isinstance(node.left, ast.List | ast.Tuple)
    count = node.right if is_list else node.left
    fact = context.frame.fact(count) if context.frame is not None else None
    is_count = fact is None or fact.detail.endswith("[]")
    is_list = is_list or isinstance(node.right, ast.List | ast.Tuple)
    return said and is_list and is_count and context.failure.tracer is not None


def static_size_missing(context: FailureContext) -> StaticDemand | None:
    """The size of the result depends on the data, and no size was given."""
    demand = _demand(context)
    if demand is None or demand.name not in _DATA_SIZED:
        return None
    if demand.given(None, (_DATA_SIZED[demand.name],)) is not None:
        return None
    given = len(demand.node.args) + len(demand.node.keywords)
    is_choice = demand.name == "where" and given > 1
    form = "sparse" if demand.name.endswith("fromdense") else ""
    return None if is_choice else replace(demand, facts={"name": demand.name}, form=form)


def axis_argument(context: FailureContext) -> StaticDemand | None:
    """The axis is an argument of the traced function."""
    demand = _demand(context)
    if demand is None:
        return None
    axis = demand.traced_axis()
    if axis is None and "axis" in context.message.partition("The error occurred")[0]:
        axis = next((a for a in demand.node.args if _is_integer(demand.frame, a)), None)
    return _at(demand, axis)


def _is_integer(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    is_tracer = fact is not None and fact.kind == "tracer"
    return is_tracer and fact is not None and fact.detail.lstrip("~").startswith(("int", "uint"))


def static_parameter(context: FailureContext) -> AtFrame | None:
    """Another parameter that a library's function keeps static is traced."""
    demand = _demand(context)
    if demand is None:
        return _library_setting(context)
    known = demand.traced(*_STATIC_NAMES.get(demand.name, ()))
    if known is None and context.error == "ValueError":
        known = demand.traced_axis()
    return _at(demand, known) or _library_setting(context)


def _library_setting(context: FailureContext) -> AtFrame | None:
    """Return the frame that hands a traced Python number to a library which needs its value."""
    given, frame = python_argument(context), context.frame
    if given is None or given.kind != "number" or frame is None or not context.library:
        return None
    if context.library in ("numpy", "scipy"):
        return None  # they cannot use a traced value for anything
    if context.error == "TypeError" and "concrete values" not in context.message:
        return None
    if context.error == "ValueError" and re.search(r"[Tt]race|concrete", context.message) is None:
        return None  # a setting of the library is wrong, traced or not
    if any(not step.aval.startswith("~") for step in context.failure.origin):
        return None
    function = given.frame.record.function
    facts = {
        "argument": given.name,
        "name": _called(frame),
        "function": "" if function.startswith("<") else function,
    }
    return AtFrame(jit_of(given), facts, "library", context=context, frame=frame)


def _called(frame: FrameContext) -> str:
    """Write what the frame called: `nn.Dropout` for `nn.Dropout(rate)(x)`."""
    node = frame.node
    while isinstance(node, ast.Call):
        node = node.func
    return frame.module.text(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def range_of_tracer(context: FailureContext) -> AtCall | None:
    """Python's range was given a traced number."""
    call = at_call(context)
    if call is None:
        return None
    fact = call.frame.fact(call.node.func)
    is_range = getattr(call.node.func, "id", "") == "range"
    return call if is_range or (fact is not None and fact.detail == "range") else None


# ---------------------------------------------------------------- slices and masks


def slice_bounds(context: FailureContext) -> AtNode | None:
    """The bounds of a slice of an array are traced."""
    demand, found = _demand(context), at_node(context)
    if demand is not None and demand.path in ("jax.lax.slice", "jax.lax.slice_in_dim"):
        return found if demand.traced((1, ()), (2, ()), (None, _BOUNDS)) is not None else None
    if found is None or not _is_static_slice(context):
        return None
    subscript = found.node if isinstance(found.node, ast.Subscript) else _subscript_in(found.node)
    if subscript is None or not _has_traced_slice(found.frame, subscript.slice):
        return None
    if isinstance(subscript.value, ast.List | ast.Tuple | ast.ListComp):
        return None
    return None if found.frame.kind(subscript.value) in ("list", "tuple", "str") else found


_BOUNDS = ("start_indices", "limit_indices", "start_index", "limit_index")


def _is_static_slice(context: FailureContext) -> bool:
    said = "must be static" in context.message or "must have static" in context.message
    return context.error == "TracerIntegerConversionError" or (
        context.error == "IndexError" and said
    )


def _subscript_in(node: ast.AST) -> ast.Subscript | None:
    """Find the indexed expression in a call of an `.at[...]` method."""
    func = node.func if isinstance(node, ast.Call) else None
    value = func.value if isinstance(func, ast.Attribute) else None
    return value if isinstance(value, ast.Subscript) else None


def _has_traced_slice(frame: FrameContext, index: ast.expr) -> bool:
    return any(isinstance(n, ast.Slice) and frame.is_traced(n) for n in ast.walk(index))


def reshape_around_zero(context: FailureContext) -> AtCall | None:
    """A reshape has -1 next to a size that is 0."""
    found = at_call(context)
    name = getattr(found.node.func, "attr", "") if found is not None else ""
    if found is None or name != "reshape" or not context.failure.jax_frames:
        return None
    given = found.node.args[1 if found.path.startswith("jax.") else 0 :]
    items = [i for a in given for i in (a.elts if isinstance(a, ast.Tuple | ast.List) else [a])]
    sizes = [item for item in items if not isinstance(item, ast.UnaryOp)]
    held = [size for size in sizes if not isinstance(size, ast.Constant)] or sizes
    facts = {"name": found.module.text(held[0])} if len(held) == 1 else {}
    return replace(found, facts=facts)
