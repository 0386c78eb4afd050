"""Evaluates JAX's operations by NumPy, so that nothing has to be compiled to look at one.

A call has the parameters of an equation, its operands, and the operands that decide: those that
indices, sorting and choices follow. The same function serves a program's own precision and a wider
one, which has to take the same decisions.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Operands = Sequence[Array]
Parameters = Mapping[str, Any]


class Operation(NamedTuple):
    """An operation to evaluate."""

    params: Parameters
    ins: Operands
    deciding: Operands


_Evaluate = Callable[[Operation], Any]


def evaluate(
    name: str, params: Parameters, operands: Operands, deciding: Operands
) -> list[Array] | None:
    """Return the results of an operation; None if NumPy has no counterpart for it.

    Results have whatever dtype NumPy gives them. Raises what NumPy raises.
    """
    operation = OPERATIONS.get(name)
    if operation is None:
        return None
    answer = operation(Operation(params, operands, deciding))
    return list(answer) if isinstance(answer, list | tuple) else [np.asarray(answer)]


def _of_operands(function: Callable[..., Any]) -> _Evaluate:
    return lambda call: function(*call.ins)


def _along_axes(function: Callable[..., Any]) -> _Evaluate:
    return lambda call: function(call.ins[0], axis=tuple(call.params["axes"]))


def _running(function: Callable[..., Any]) -> _Evaluate:
    def run(call: Operation) -> Array:
        axis = call.params["axis"]
        array = np.flip(call.ins[0], axis) if call.params["reverse"] else call.ins[0]
        made = np.asarray(function(array, axis=axis))
        return np.flip(made, axis) if call.params["reverse"] else made

    return run


# ---------------------------------------------------------------- numbers


def _divide(a: Array, b: Array) -> Any:
    if np.result_type(a, b).kind not in "iu":
        return np.divide(a, b)
    quotient = np.floor_divide(np.abs(a), np.maximum(np.abs(b), 1))  # JAX rounds towards zero
    return np.where(
        b == 0, np.asarray(-1).astype(quotient.dtype), quotient * np.sign(a) * np.sign(b)
    )


def _remainder(a: Array, b: Array) -> Any:
    if np.result_type(a, b).kind not in "iu":
        return np.fmod(a, b)
    return np.where(b == 0, a, np.fmod(a, np.where(b == 0, 1, b)))


def _power(call: Operation) -> Any:
    return np.power(call.ins[0], np.asarray(call.ins[1]).astype(call.ins[0].dtype))


def _integer_power(call: Operation) -> Any:
    exponent = call.params["y"]
    raised = np.power(call.ins[0], abs(exponent))
    return np.divide(1, raised).astype(call.ins[0].dtype) if exponent < 0 else raised


def _round(call: Operation) -> Any:
    if int(call.params.get("rounding_method", 1)) == 1:
        return np.round(call.ins[0])
    return np.trunc(call.ins[0] + np.copysign(0.5, call.ins[0]))


def _logistic(x: Array) -> Any:
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), 1 - 1 / (1 + np.exp(-np.abs(x))))


def _each(function: Callable[[float], float]) -> _Evaluate:
    """Return an operation that calls a function of Python for each element."""
    of_elements = np.vectorize(function, otypes=[np.float64])
    return lambda call: of_elements(call.ins[0])


def _log_gamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (OverflowError, ValueError):  # at the poles
        return math.inf


def _shift(function: Callable[..., Any]) -> _Evaluate:
    return lambda call: function(call.ins[0], np.asarray(call.ins[1]).astype(call.ins[0].dtype))


# ---------------------------------------------------------------- shapes


def _broadcast(call: Operation) -> Array:
    shape = [1] * len(call.params["shape"])
    for axis, extent in zip(
        call.params["broadcast_dimensions"], np.shape(call.ins[0]), strict=True
    ):
        shape[axis] = extent
    return np.broadcast_to(np.reshape(call.ins[0], shape), call.params["shape"])


def _reshape(call: Operation) -> Array:
    if call.params.get("dimensions") is not None:
        raise NotImplementedError
    return np.reshape(call.ins[0], call.params["new_sizes"])


def _slice(call: Operation) -> Array:
    strides = call.params["strides"] or [1] * len(call.params["start_indices"])
    bounds = zip(call.params["start_indices"], call.params["limit_indices"], strides, strict=True)
    return call.ins[0][tuple(slice(int(a), int(b), int(step)) for a, b, step in bounds)]


def _pad(call: Operation) -> Array:
    array, value = call.ins
    config = [tuple(map(int, axis)) for axis in call.params["padding_config"]]
    if any(low < 0 or high < 0 for low, high, _ in config):
        raise NotImplementedError
    inner = [max(0, n + (n - 1) * gap) for n, (_, _, gap) in zip(array.shape, config, strict=True)]
    shape = [n + low + high for n, (low, high, _) in zip(inner, config, strict=True)]
    made = np.full(shape, value, array.dtype)
    steps = zip(inner, config, strict=True)
    made[tuple(slice(low, low + n, gap + 1) for n, (low, _, gap) in steps)] = array
    return made


def _iota(call: Operation) -> Array:
    axis, shape = call.params["dimension"], call.params["shape"]
    extents = [shape[axis] if n == axis else 1 for n in range(len(shape))]
    numbers = np.arange(shape[axis]).reshape(extents)
    return np.broadcast_to(numbers, shape).astype(call.params["dtype"])


def _split(call: Operation) -> list[Array]:
    borders = np.cumsum([int(size) for size in call.params["sizes"]])[:-1]
    return np.split(call.ins[0], borders, axis=call.params["axis"])


def _select(call: Operation) -> Any:
    which, *cases = np.asarray(call.deciding[0]), *call.ins[1:]
    if len(cases) == 2:
        return np.where(which.astype(bool), cases[1], cases[0])
    return np.choose(which, cases)


def _product(call: Operation) -> Array:
    """Return a product of arrays: the axes of both, and of their sums, have a letter each."""
    (left, right), (shared, also_shared) = call.params["dimension_numbers"]
    ranks = call.ins[0].ndim, call.ins[1].ndim
    if not shared and len(left) == 1:  # a matrix product, which einsum would not do by BLAS
        return np.asarray(np.tensordot(call.ins[0], call.ins[1], (left, right)))
    letters = string.ascii_letters
    of_left, of_right = list(letters[: ranks[0]]), list(letters[ranks[0] : sum(ranks)])
    for one, other in zip((*left, *shared), (*right, *also_shared), strict=True):
        of_right[other] = of_left[one]
    together = [of_left[n] for n in shared]
    free = [c for c in (*of_left, *of_right) if (c in of_left) != (c in of_right)]
    formula = f"{''.join(of_left)},{''.join(of_right)}->{''.join((*together, *free))}"
    return np.asarray(np.einsum(formula, *call.ins, optimize=True))


def _sort(call: Operation) -> list[Array]:
    axis = call.params["dimension"]
    keys = call.deciding[: call.params["num_keys"]]
    order = np.lexsort(tuple(reversed(keys)), axis=axis)
    return [np.take_along_axis(array, order, axis) for array in call.ins]


def _largest(function: Callable[..., Any]) -> _Evaluate:
    def find(call: Operation) -> Any:
        (axis,) = call.params["axes"]
        return function(call.deciding[0], axis=axis).astype(call.params["index_dtype"])

    return find


# ---------------------------------------------------------------- linear algebra


def _cholesky(call: Operation) -> Any:
    """Return the lower factor. Raises LinAlgError where JAX gives NaN."""
    if call.params.get("symmetrize_input"):
        raise NotImplementedError
    return np.linalg.cholesky(call.ins[0])


def _triangular_solve(call: Operation) -> Any:
    """Solve `a x = b`, or `x a = b`, for a triangle of `a`. Raises LinAlgError for a zero in it."""
    params, (matrix, right) = call.params, call.ins
    triangle = np.tril(matrix) if params["lower"] else np.triu(matrix)
    if params["unit_diagonal"]:
        diagonal = np.identity(matrix.shape[-1], dtype=matrix.dtype)
        triangle = np.where(diagonal != 0, diagonal, triangle)
    if params["conjugate_a"]:
        triangle = np.conj(triangle)
    if params["transpose_a"] == params["left_side"]:
        triangle = np.swapaxes(triangle, -1, -2)
    if params["left_side"]:
        return np.linalg.solve(triangle, right)
    return np.swapaxes(np.linalg.solve(triangle, np.swapaxes(right, -1, -2)), -1, -2)


# ---------------------------------------------------------------- indices


def _dynamic_slice(call: Operation) -> Array:
    sizes = call.params["slice_sizes"]
    starts = call.deciding[1 : 1 + len(sizes)]
    return call.ins[0][_window(np.shape(call.ins[0]), sizes, starts)]


def _dynamic_update(call: Operation) -> Array:
    made = np.array(call.ins[0])
    made[_window(made.shape, np.shape(call.ins[1]), call.deciding[2 : 2 + made.ndim])] = call.ins[1]
    return made


def _window(shape: Sequence[int], sizes: Sequence[int], starts: Sequence[Any]) -> tuple[slice, ...]:
    """Return a window that is moved into the array, as JAX moves it."""
    found = []
    for extent, size, start in zip(shape, sizes, starts, strict=True):
        first = min(max(int(start), 0), extent - int(size))
        found.append(slice(first, first + int(size)))
    return tuple(found)


def _gather(call: Operation) -> Array:
    array, indices = call.ins[0], np.asarray(call.deciding[1]).astype(np.int64)
    numbers = call.params["dimension_numbers"]
    sizes = [int(n) for n in call.params["slice_sizes"]]
    absent = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    windows = [axis for axis in range(array.ndim) if axis not in absent]
    rank = len(numbers.offset_dims) + indices.ndim - 1
    at, is_inside = _positions(
        array.shape,
        indices,
        sizes,
        rank,
        dict(zip(windows, numbers.offset_dims, strict=True)),
        numbers.start_index_map,
        dict(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)),
    )
    found = array[at]
    if "FILL" not in str(call.params["mode"]) or is_inside.all():
        return np.asarray(found)
    return np.where(is_inside, found, _fill(call.params, array.dtype))


def _fill(params: Parameters, dtype: np.dtype[Any]) -> Any:
    if params.get("fill_value") is not None:
        return params["fill_value"]
    if dtype.kind == "b":
        return True
    if dtype.kind in "iu":
        return np.iinfo(dtype).min if dtype.kind == "i" else np.iinfo(dtype).max
    return np.nan


def _scattering(function: Any) -> _Evaluate:
    """Return an operation that puts updates at indices, by a ufunc if there is one."""

    def scatter(call: Operation) -> Array:
        array, updates = call.ins[0], call.ins[2]
        indices = np.asarray(call.deciding[1]).astype(np.int64)
        numbers = call.params["dimension_numbers"]
        absent = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
        windows = [axis for axis in range(array.ndim) if axis not in absent]
        places = dict(zip(windows, numbers.update_window_dims, strict=True))
        sizes = [updates.shape[places[n]] if n in places else 1 for n in range(array.ndim)]
        batching = zip(
            numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True
        )
        at, is_inside = _positions(
            array.shape,
            indices,
            sizes,
            updates.ndim,
            places,
            numbers.scatter_dims_to_operand_dims,
            dict(batching),
        )
        made = np.array(array)
        if "CLIP" in str(call.params["mode"]):
            is_inside = np.ones_like(is_inside)
        chosen = np.broadcast_to(is_inside, updates.shape)
        where = tuple(np.broadcast_to(n, updates.shape)[chosen] for n in at)
        if function is None:
            made[where] = updates[chosen]
        else:
            function.at(made, where, updates[chosen].astype(made.dtype))
        return made

    return scatter


def _positions(
    shape: Sequence[int],
    indices: Array,
    sizes: Sequence[int],
    rank: int,
    windows: Mapping[int, int],
    indexed: Sequence[int],
    batching: Mapping[int, int],
) -> tuple[tuple[Array, ...], Array]:
    """Return the positions in an array that windows at some indices have, and which are inside.

    `windows` gives for axes of the array the axis of the other one, of `rank` axes, that runs along
    them; the other axes of that one are those of the indices. `indexed` are the axes that the
    columns of the indices belong to, `batching` those that go along with an axis of the indices.
    """
    others = [axis for axis in range(rank) if axis not in windows.values()]

    def spread(values: Array, axes: Sequence[int]) -> Array:
        extents = [1] * rank
        for axis, extent in zip(axes, values.shape, strict=True):
            extents[axis] = extent
        return values.reshape(extents)

    is_inside = np.ones([1] * rank, bool)
    found = []
    for axis, extent in enumerate(shape):
        position = np.zeros([1] * rank, np.int64)
        if axis in indexed:
            column = indices[..., list(indexed).index(axis)]
            last = extent - sizes[axis]
            is_inside = is_inside & spread((column >= 0) & (column <= last), others)
            position = position + spread(np.clip(column, 0, max(last, 0)), others)
        if axis in batching:
            along = batching[axis]
            position = position + spread(np.arange(indices.shape[along]), [others[along]])
        if axis in windows:
            position = position + spread(np.arange(sizes[axis]), [windows[axis]])
        found.append(position)
    return tuple(np.broadcast_arrays(*found)) if found else (), is_inside


OPERATIONS: dict[str, _Evaluate] = {
    "abs": _of_operands(np.abs),
    "acos": _of_operands(np.arccos),
    "acosh": _of_operands(np.arccosh),
    "add": _of_operands(np.add),
    "add_any": _of_operands(np.add),
    "and": _of_operands(np.bitwise_and),
    "argmax": _largest(np.argmax),
    "argmin": _largest(np.argmin),
    "asin": _of_operands(np.arcsin),
    "asinh": _of_operands(np.arcsinh),
    "atan": _of_operands(np.arctan),
    "atan2": _of_operands(np.arctan2),
    "atanh": _of_operands(np.arctanh),
    "broadcast_in_dim": _broadcast,
    "cbrt": _of_operands(np.cbrt),
    "ceil": _of_operands(np.ceil),
    "cholesky": _cholesky,
    "clamp": lambda call: np.clip(call.ins[1], call.ins[0], call.ins[2]),
    "concatenate": lambda call: np.concatenate(call.ins, call.params["dimension"]),
    "conj": _of_operands(np.conj),
    "copy": _of_operands(np.asarray),
    "copy_p": _of_operands(np.asarray),
    "cos": _of_operands(np.cos),
    "cosh": _of_operands(np.cosh),
    "cummax": _running(np.maximum.accumulate),
    "cummin": _running(np.minimum.accumulate),
    "cumlogsumexp": _running(np.logaddexp.accumulate),
    "cumprod": _running(np.cumprod),
    "cumsum": _running(np.cumsum),
    "div": _of_operands(_divide),
    "dot_general": _product,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update,
    "eq": _of_operands(np.equal),
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "exp": _of_operands(np.exp),
    "exp2": _of_operands(np.exp2),
    "expand_dims": lambda call: np.expand_dims(call.ins[0], call.params["dimensions"]),
    "expm1": _of_operands(np.expm1),
    "floor": _of_operands(np.floor),
    "gather": _gather,
    "ge": _of_operands(np.greater_equal),
    "gt": _of_operands(np.greater),
    "imag": _of_operands(np.imag),
    "integer_pow": _integer_power,
    "iota": _iota,
    "is_finite": _of_operands(np.isfinite),
    "le": _of_operands(np.less_equal),
    "lgamma": _each(_log_gamma),
    "log": _of_operands(np.log),
    "log1p": _of_operands(np.log1p),
    "log2": _of_operands(np.log2),
    "logistic": _of_operands(_logistic),
    "lt": _of_operands(np.less),
    "max": _of_operands(np.maximum),
    "min": _of_operands(np.minimum),
    "mul": _of_operands(np.multiply),
    "ne": _of_operands(np.not_equal),
    "neg": _of_operands(np.negative),
    "not": _of_operands(np.invert),
    "one_minus_square": _of_operands(lambda x: 1 - np.square(x)),
    "optimization_barrier": lambda call: list(call.ins),
    "or": _of_operands(np.bitwise_or),
    "pad": _pad,
    "pow": _power,
    "real": _of_operands(np.real),
    "reduce_and": _along_axes(np.all),
    "reduce_max": _along_axes(np.max),
    "reduce_min": _along_axes(np.min),
    "reduce_or": _along_axes(np.any),
    "reduce_prod": _along_axes(np.prod),
    "reduce_sum": _along_axes(np.sum),
    "rem": _of_operands(_remainder),
    "reshape": _reshape,
    "rev": lambda call: np.flip(call.ins[0], call.params["dimensions"]),
    "round": _round,
    "rsqrt": _of_operands(lambda x: 1 / np.sqrt(x)),
    "scatter": _scattering(None),
    "scatter-add": _scattering(np.add),
    "scatter-max": _scattering(np.maximum),
    "scatter-min": _scattering(np.minimum),
    "scatter-mul": _scattering(np.multiply),
    "select_n": _select,
    "shift_left": _shift(np.left_shift),
    "shift_right_arithmetic": _shift(np.right_shift),
    "sign": _of_operands(np.sign),
    "sin": _of_operands(np.sin),
    "sinh": _of_operands(np.sinh),
    "slice": _slice,
    "sort": _sort,
    "split": _split,
    "sqrt": _of_operands(np.sqrt),
    "square": _of_operands(np.square),
    "squeeze": lambda call: np.squeeze(call.ins[0], tuple(call.params["dimensions"])),
    "stack": lambda call: np.stack(call.ins, call.params["axis"]),
    "stop_gradient": _of_operands(np.asarray),
    "sub": _of_operands(np.subtract),
    "tan": _of_operands(np.tan),
    "tanh": _of_operands(np.tanh),
    "tile": lambda call: np.tile(call.ins[0], call.params["reps"]),
    "transpose": lambda call: np.transpose(call.ins[0], call.params["permutation"]),
    "triangular_solve": _triangular_solve,
    "xor": _of_operands(np.bitwise_xor),
}


def count_products(params: Parameters, shapes: Sequence[Sequence[int]]) -> int:
    """Return how many products of numbers a product of two arrays takes."""
    (_, right), (_, shared) = params["dimension_numbers"]
    size = math.prod(shapes[0]) * math.prod(shapes[1])
    for axis in (*right, *shared):
        size //= max(1, shapes[1][axis])
    return size
