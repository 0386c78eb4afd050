"""Owns the causes in which a size, an axis or a count had to be static and was not."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext, Location, Match, argument

# Where each function takes a size: position in a call of the function, and names.
_SIZES: dict[str, tuple[tuple[int | None, tuple[str, ...]], ...]] = {
    "zeros": ((0, ("shape",)),),
    "ones": ((0, ("shape",)),),
    "empty": ((0, ("shape",)),),
    "full": ((0, ("shape",)),),
    "zeros_like": ((None, ("shape",)),),
    "ones_like": ((None, ("shape",)),),
    "full_like": ((None, ("shape",)),),
    "eye": ((0, ("N",)), (1, ("M",))),
    "identity": ((0, ("n",)),),
    "tri": ((0, ("N",)), (1, ("M",))),
    "tile": ((1, ("reps",)),),
    "reshape": ((1, ("shape", "newshape")),),
    "broadcast_to": ((1, ("shape",)),),
    "resize": ((1, ("new_shape",)),),
    "linspace": ((2, ("num",)),),
    "logspace": ((2, ("num",)),),
    "geomspace": ((2, ("num",)),),
    "indices": ((0, ("dimensions",)),),
    "pad": ((1, ("pad_width",)),),
    "vander": ((1, ("N",)),),
    "hanning": ((0, ("M",)),),
    "hamming": ((0, ("M",)),),
    "blackman": ((0, ("M",)),),
    "bartlett": ((0, ("M",)),),
    "kaiser": ((0, ("M",)),),
    "tril_indices": ((0, ("n",)), (2, ("m",))),
    "triu_indices": ((0, ("n",)), (2, ("m",))),
    "diag_indices": ((0, ("n",)),),
    "iota": ((1, ("size",)),),
    "broadcasted_iota": ((1, ("shape",)),),
    "broadcast": ((1, ("sizes",)),),
    "broadcast_in_dim": ((1, ("shape",)),),
    "top_k": ((1, ("k",)),),
    "split": ((1, ("num", "indices_or_sections")),),
    "array_split": ((1, ("indices_or_sections",)),),
    "choice": ((2, ("shape",)),),
    "permutation": ((1, ("x",)),),
    "normal": ((1, ("shape",)),),
    "uniform": ((1, ("shape",)),),
    "randint": ((1, ("shape",)),),
    "bernoulli": ((2, ("shape",)),),
    "categorical": ((None, ("shape",)),),
    "exponential": ((1, ("shape",)),),
    "gumbel": ((1, ("shape",)),),
    "laplace": ((1, ("shape",)),),
    "truncated_normal": ((3, ("shape",)),),
    "poisson": ((2, ("shape",)),),
    "gamma": ((2, ("shape",)),),
    "beta": ((3, ("shape",)),),
    "bits": ((1, ("shape",)),),
    "rademacher": ((1, ("shape",)),),
    "multivariate_normal": ((3, ("shape",)),),
    "dirichlet": ((2, ("shape",)),),
    "ball": ((1, ("d",)), (3, ("shape",))),
    "orthogonal": ((1, ("n",)), (2, ("shape",))),
    "nonzero": ((None, ("size",)),),
    "flatnonzero": ((None, ("size",)),),
    "argwhere": ((None, ("size",)),),
    "where": ((None, ("size",)),),
    "unique": ((None, ("size",)),),
    "bincount": ((2, ("length",)), (None, ("minlength",))),
    "segment_sum": ((2, ("num_segments",)),),
    "segment_max": ((2, ("num_segments",)),),
    "segment_min": ((2, ("num_segments",)),),
    "segment_prod": ((2, ("num_segments",)),),
    "histogram": ((1, ("bins",)),),
    "fft": ((1, ("n",)),),
    "ifft": ((1, ("n",)),),
    "rfft": ((1, ("n",)),),
    "irfft": ((1, ("n",)),),
    "ShapeDtypeStruct": ((0, ("shape",)),),
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


class StaticDemand:
    """A call of a library's function that wanted a static value and got a tracer."""

    def __init__(self, frame: FrameContext, call: ast.Call, path: str, is_method: bool) -> None:
        self.frame = frame
        self.call = call
        self.path = path
        self.name = path.rpartition(".")[2]
        self.is_method = is_method

    def given(self, position: int | None, names: tuple[str, ...]) -> ast.expr | None:
        """Find an argument by the position it has in a call of the function."""
        if position is not None and self.is_method:
            position = position - 1 if position else None
        return argument(self.call, position, *names)

    def traced(self, *where: tuple[int | None, tuple[str, ...]]) -> ast.expr | None:
        """Find the first of some arguments that is traced."""
        found = (self.given(position, names) for position, names in where)
        return next((a for a in found if a is not None and self.frame.is_traced(a)), None)

    def traced_size(self) -> ast.expr | None:
        """Find the traced argument that is a size of the result."""
        if self.path.startswith("numpy.random."):
            sizes = self.call.args if self.name in ("rand", "randn") else ()
            given = [*sizes, self.given(None, ("size",))]
            return next((a for a in given if a is not None and self.frame.is_traced(a)), None)
        size = self.traced(*_SIZES.get(self.name, ()))
        if size is None and self.is_method and self.name in ("reshape", "broadcast_to"):
            size = next((a for a in self.call.args if self.frame.is_traced(a)), None)
        return size

    def traced_axis(self) -> ast.expr | None:
        """Find the traced argument that is an axis."""
        places = [(n, ()) for n in _AXES.get(self.name, ())]
        return self.traced((None, _AXIS_NAMES), *places)


def _asked(context: FailureContext) -> StaticDemand | None:
    """Read the call at fault, if a library's code raised inside it because of a tracer."""
    frame = context.frame
    node = frame.node if frame else None
    if frame is None or not isinstance(node, ast.Call) or not _wanted_static(context):
        return None
    callee = frame.dotted(node.func)
    if callee is not None and callee.startswith(("jax.", "numpy.")):
        return StaticDemand(frame, node, callee, is_method=False)
    if isinstance(node.func, ast.Attribute) and callee is None and not frame.is_own(node.func):
        return StaticDemand(frame, node, node.func.attr, is_method=True)
    return None


def _wanted_static(context: FailureContext) -> bool:
    """Tell whether the failure is a library's complaint that a value is not static."""
    message = context.message
    if context.error in _NOT_CONCRETE:
        return not _asked_by_python(context)
    if context.error == "TracerArrayConversionError":
        return context.frame is not None and context.frame.callee(context.node) == "numpy.arange"
    if context.error == "TypeError":
        words = ("integer", "hape", "__hash__", "concrete", "static")
        if message.startswith("unhashable type"):
            return bool(context.failure.jax_frames) and "Tracer" in message
        return "Tracer" in message and any(word in message for word in words)
    if context.error == "ValueError":
        return "Non-hashable static arguments" in message and "Tracer" in message
    return False


def _asked_by_python(context: FailureContext) -> bool:
    """Tell whether the conversion was written by the learner: `int(x)`, `x.item()`, `if x`."""
    frames = context.failure.jax_frames
    is_tracer = bool(frames) and ".Tracer." in frames[0]
    callee = context.frame.callee(context.node) if context.frame else None
    return is_tracer and not (callee or "").startswith(("jax.", "numpy."))


def _match(asked: StaticDemand, context: FailureContext, at_fault: ast.expr) -> Match:
    text = asked.frame.module.text(at_fault)
    return Match(facts={"name": asked.name, "argument": context.argument or text})


# ---------------------------------------------------------------- matchers


def on_static_value(context: FailureContext) -> Match | None:
    """A traced value that comes from no argument: a jnp function was given static values only."""
    if not context.is_from_constants or context.frame is None:
        return None
    asked = _asked(context)
    is_slice = _is_static_slice(context) and isinstance(context.node, ast.Subscript)
    by_python = _asked_by_python(context) and context.error in _NOT_CONCRETE
    if asked is None and not is_slice and not by_python:
        return None
    if asked is not None and asked.name in _DATA_SIZED and asked.traced_size() is None:
        return None
    return Match(_first_step(context), {"argument": ""})


def _first_step(context: FailureContext) -> Location | None:
    """Give the expression in which a static value first became traced, if in another statement."""
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


def num_classes(context: FailureContext) -> Match | None:
    """The number of classes is computed from the data."""
    asked = _asked(context)
    if asked is None:
        return None
    classes = asked.traced((1, ("num_classes",))) if asked.name == "one_hot" else None
    size = classes or asked.traced_size()
    if size is None or (classes is None and not _is_from_maximum(context)):
        return None
    return _match(asked, context, size)


def _is_from_maximum(context: FailureContext) -> bool:
    """Tell whether the size was computed as the largest element of an argument."""
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


def arange_bound(context: FailureContext) -> Match | None:
    """A bound of arange is traced."""
    asked = _asked(context)
    if asked is None or asked.name != "arange":
        return None
    everywhere: list[tuple[int | None, tuple[str, ...]]] = [(n, ()) for n in range(3)]
    size = asked.traced(*everywhere, (None, ("start",)), (None, ("stop",)), (None, ("step",)))
    return _match(asked, context, size) if size is not None else None


def repeat_count(context: FailureContext) -> Match | None:
    """The count of repeat is traced."""
    asked = _asked(context)
    if asked is None or asked.name != "repeat":
        return None
    count = asked.traced((1, ("repeats",)))
    return _match(asked, context, count) if count is not None else None


def loop_length(context: FailureContext) -> Match | None:
    """The length of a scan is traced."""
    asked = _asked(context)
    if asked is None or asked.name != "scan":
        return None
    length = asked.traced((3, ("length",)))
    return _match(asked, context, length) if length is not None else None


def slice_size(context: FailureContext) -> Match | None:
    """The size of a dynamic slice is traced."""
    asked = _asked(context)
    if asked is None or asked.name not in ("dynamic_slice", "dynamic_slice_in_dim"):
        return None
    size = asked.traced((2, ("slice_sizes", "slice_size")))
    return _match(asked, context, size) if size is not None else None


def shape_argument(context: FailureContext) -> Match | None:
    """A shape, a size or a number of things is traced."""
    if _repeats_list(context):
        return Match()
    asked = _asked(context)
    size = asked.traced_size() if asked is not None else None
    return _match(asked, context, size) if asked is not None and size is not None else None


def _repeats_list(context: FailureContext) -> bool:
    """Tell whether a list is repeated a traced number of times: `[0.0] * n`."""
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


def static_size_missing(context: FailureContext) -> Match | None:
    """The size of the result depends on the data, and no size was given."""
    asked = _asked(context)
    if asked is None or asked.name not in _DATA_SIZED:
        return None
    if asked.given(None, (_DATA_SIZED[asked.name],)) is not None:
        return None
    if asked.name == "where" and len(asked.call.args) + len(asked.call.keywords) > 1:
        return None
    return Match(facts={"name": asked.name})


def axis_argument(context: FailureContext) -> Match | None:
    """The axis is an argument of the traced function."""
    asked = _asked(context)
    if asked is None or context.error == "ValueError":
        return None
    axis = asked.traced_axis()
    if axis is None and "axis" in context.message.partition("The error occurred")[0]:
        axis = next((a for a in asked.call.args if _is_integer(asked.frame, a)), None)
    return _match(asked, context, axis) if axis is not None else None


def _is_integer(frame: FrameContext, node: ast.expr) -> bool:
    fact = frame.fact(node)
    is_tracer = fact is not None and fact.kind == "tracer"
    return is_tracer and fact is not None and fact.detail.lstrip("~").startswith(("int", "uint"))


def static_parameter(context: FailureContext) -> Match | None:
    """Another parameter that the library's function keeps static is traced."""
    asked = _asked(context)
    if asked is None:
        return None
    known = asked.traced(*_STATIC_NAMES.get(asked.name, ()))
    if known is None and context.error == "ValueError":
        known = asked.traced_axis()
    return _match(asked, context, known) if known is not None else None


def slice_bounds(context: FailureContext) -> Match | None:
    """The bounds of a slice of an array are traced."""
    node = context.node
    frame = context.frame
    asked = _asked(context)
    if asked is not None and asked.path in ("jax.lax.slice", "jax.lax.slice_in_dim"):
        return Match() if asked.traced((1, ()), (2, ()), (None, _BOUNDS)) is not None else None
    if frame is None or not isinstance(node, ast.AST) or not _is_static_slice(context):
        return None
    subscript = node if isinstance(node, ast.Subscript) else _subscript_in(node)
    if subscript is None or not _has_traced_slice(frame, subscript.slice):
        return None
    if frame.kind(subscript.value) in ("list", "tuple", "str"):
        return None
    if isinstance(subscript.value, ast.List | ast.Tuple | ast.ListComp):
        return None
    return Match()


_BOUNDS = ("start_indices", "limit_indices", "start_index", "limit_index")


def _is_static_slice(context: FailureContext) -> bool:
    if context.error == "IndexError":
        return "must be static" in context.message or "must have static" in context.message
    return context.error == "TracerIntegerConversionError"


def _subscript_in(node: ast.AST) -> ast.Subscript | None:
    """Find the indexed expression in a call of an `.at[...]` method."""
    func = node.func if isinstance(node, ast.Call) else None
    value = func.value if isinstance(func, ast.Attribute) else None
    return value if isinstance(value, ast.Subscript) else None


def _has_traced_slice(frame: FrameContext, index: ast.expr) -> bool:
    return any(isinstance(n, ast.Slice) and frame.is_traced(n) for n in ast.walk(index))


def boolean_mask(context: FailureContext) -> Match | None:
    """An array is indexed with a traced mask."""
    is_stored = isinstance(context.node, ast.Subscript) and isinstance(context.node.ctx, ast.Store)
    known = context.error == "NonConcreteBooleanIndexError" and not is_stored
    return Match() if known else None


def range_of_tracer(context: FailureContext) -> Match | None:
    """Python's range was given a traced number."""
    node = context.node
    if context.error != "TracerIntegerConversionError" or not isinstance(node, ast.Call):
        return None
    is_range = isinstance(node.func, ast.Name) and node.func.id == "range"
    fact = context.frame.fact(node.func) if context.frame else None
    return Match() if is_range or (fact and fact.detail == "range") else None


MATCHERS = (
    ("boolean-mask-index", boolean_mask),
    ("jnp-op-on-static-value", on_static_value),
    ("range-of-tracer", range_of_tracer),
    ("traced-slice-bounds", slice_bounds),
    ("traced-num-classes", num_classes),
    ("traced-arange-bound", arange_bound),
    ("traced-repeat-count", repeat_count),
    ("traced-loop-length", loop_length),
    ("traced-slice-size", slice_size),
    ("traced-shape-arg", shape_argument),
    ("missing-static-size", static_size_missing),
    ("traced-axis-arg", axis_argument),
    ("traced-static-param", static_parameter),
)
