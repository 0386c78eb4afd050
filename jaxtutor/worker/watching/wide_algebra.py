"""Computes in 64 bits what JAX factors in its own precision, in a form that compares with that.

Factors are not unique: a vector may have another sign, equal eigenvalues have any vectors of one
space, and rows are exchanged in an order that rounding decides. So each factor takes the signs,
the bases and the order that the program's own one has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
MOST_ROWS = 256  # of a matrix that is eliminated
NEAR = 1e-4  # of the largest value, within which two values share a space of vectors


class Factored(NamedTuple):
    """A matrix in 64 bits, and the factors that a program has of it."""

    params: Mapping[str, Any]
    matrix: Array
    made: Sequence[Array]


def factor_alike(
    name: str, params: Mapping[str, Any], operands: Sequence[Array], made: Sequence[Array]
) -> list[Array] | None:
    """Return the results of a factorization in 64 bits; None for another operation.

    Raises what NumPy raises, and NotImplementedError for a form that has no counterpart.
    """
    function = _FACTORIZATIONS.get(name)
    if function is None or params.get("subset_by_index") is not None:
        return None
    return function(Factored(params, operands[0], made))


def _eigenvectors(call: Factored) -> list[Array]:
    vectors, _ = call.made
    exact_values, exact = np.linalg.eigh(call.matrix, "L" if call.params["lower"] else "U")
    if not call.params.get("sort_eigenvalues", True):
        raise NotImplementedError
    overlap = np.swapaxes(exact, -1, -2) @ vectors
    return [exact @ _rotation(overlap, exact_values), exact_values]


def _singular_vectors(call: Factored) -> list[Array]:
    if not call.params["compute_uv"]:
        return [np.linalg.svd(call.matrix, compute_uv=False)]
    _, left, right = call.made
    if left.shape[-1] != right.shape[-2]:  # some vectors belong to no value
        raise NotImplementedError
    exact_left, values, exact_right = np.linalg.svd(call.matrix, full_matrices=False)
    rotation = _rotation(np.swapaxes(exact_left, -1, -2) @ left, values)
    return [values, exact_left @ rotation, np.swapaxes(rotation, -1, -2) @ exact_right]


def _rotation(overlap: Array, values: Array) -> Array:
    """Return the rotation of exact vectors that is nearest to another basis of their spaces.

    `overlap` has the products of the exact vectors with the others. Vectors whose values are equal
    but for rounding share a space; a vector alone keeps or changes its sign.
    """
    size = np.abs(values).max(axis=-1, keepdims=True, initial=1e-300)
    is_shared = np.abs(values[..., :, None] - values[..., None, :]) <= NEAR * size[..., None]
    left, _, right = np.linalg.svd(np.where(is_shared, overlap, 0.0))
    return np.asarray(left @ right)


def _orthogonal(call: Factored) -> list[Array]:
    if call.params.get("pivoting"):
        raise NotImplementedError
    narrow = call.made[0]
    if narrow.shape[-1] > call.matrix.shape[-1]:  # some columns are free
        raise NotImplementedError
    exact, upper = np.linalg.qr(call.matrix)
    signs = np.where(np.sum(exact * narrow, axis=-2) < 0, -1.0, 1.0)
    return [exact * signs[..., None, :], signs[..., :, None] * upper]


def _eliminated(call: Factored) -> list[Array]:
    _, pivots, order = call.made
    lu = np.take_along_axis(call.matrix, order[..., None], axis=-2)
    if max(lu.shape[-2:]) > MOST_ROWS:
        raise NotImplementedError
    for n in range(min(lu.shape[-2:])):
        lu[..., n + 1 :, n] /= lu[..., n, n, None]
        lu[..., n + 1 :, n + 1 :] -= lu[..., n + 1 :, n, None] * lu[..., n, None, n + 1 :]
    return [lu, pivots, order]


_FACTORIZATIONS: dict[str, Callable[[Factored], list[Array]]] = {
    "eigh": _eigenvectors,
    "lu": _eliminated,
    "qr": _orthogonal,
    "svd": _singular_vectors,
}
