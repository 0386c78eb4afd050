"""Finds the argument of a call that has to be static: a size, an axis, a setting."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall
from jaxtutor.core.diagnosis.reading.calls import argument, called_identifier
from jaxtutor.core.diagnosis.reading.names import last_part

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
DATA_SIZED = {
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
STATIC_NAMES = {
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
NOT_CONCRETE = (
    "ConcretizationTypeError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
)


class StaticDemand(AtCall, frozen=True, kw_only=True):
    """A call of a library's function that needs a static value and gets a tracer."""

    is_method: bool

    @property
    def name(self) -> str:
        """The last part of the function's path, or the name of the method."""
        return last_part(self.path) or called_identifier(self.node)

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


def static_demand(context: FailureContext) -> StaticDemand | None:
    """Read the call at fault, if a library's code raised inside it because of a tracer."""
    frame = context.frame
    node = frame.node if frame else None
    if frame is None or not isinstance(node, ast.Call) or not needs_static(context):
        return None
    path, func = frame.dotted(node.func), node.func
    is_library = path is not None and path.startswith(("jax.", "numpy."))
    is_method = path is None and isinstance(func, ast.Attribute) and not frame.is_own(func)
    if not (is_library or is_method):
        return None
    return StaticDemand(context=context, node=node, is_method=is_method)


def needs_static(context: FailureContext) -> bool:
    """Return whether the failure is a library's complaint that a value is not static."""
    message = context.message
    if context.error == "NonConcreteBooleanIndexError":  # the mask can be JAX's own
        return True
    if context.error in NOT_CONCRETE:
        return not is_by_python(context)
    if context.error == "TracerArrayConversionError":
        return context.frame is not None and context.frame.callee(context.node) == "numpy.arange"
    if context.error == "ValueError":
        return "Non-hashable static arguments" in message and "Tracer" in message
    if message.startswith("unhashable type"):
        return bool(context.failure.jax_frames) and "Tracer" in message
    words = ("integer", "hape", "__hash__", "concrete", "static")
    is_type = context.error == "TypeError"
    return is_type and "Tracer" in message and any(word in message for word in words)


def is_by_python(context: FailureContext) -> bool:
    """Return whether the learner wrote the conversion: `int(x)`, `x.item()`, `if x`."""
    frames = context.failure.jax_frames
    is_tracer = bool(frames) and ".Tracer." in frames[0]
    callee = context.frame.callee(context.node) if context.frame else None
    return is_tracer and not (callee or "").startswith(("jax.", "numpy."))


def blame(demand: StaticDemand, at_fault: ast.expr | None) -> StaticDemand | None:
    """Return a demand with the argument that does not meet it; None without one."""
    if at_fault is None:
        return None
    text = demand.context.argument or demand.module.text(at_fault)
    return replace(demand, facts={"name": demand.name, "argument": text})


def is_from_data(context: FailureContext) -> bool:
    """Return whether a traced number is computed from the elements of an array argument."""
    first = context.failure.origin[0].aval if context.argument is not None else ""
    return "[" in first and not first.endswith("[]")


def traced_argument(
    context: FailureContext, name: str, *where: tuple[int | None, tuple[str, ...]]
) -> StaticDemand | None:
    """Return a call of one function that gets a tracer as one of some arguments."""
    demand = static_demand(context)
    is_named = demand is not None and demand.name == name
    return blame(demand, demand.traced(*where)) if demand is not None and is_named else None
