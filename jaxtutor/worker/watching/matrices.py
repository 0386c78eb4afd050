"""Describes what is wrong with a matrix whose factors, solution or derivative is not finite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from jaxtutor.core.data.observations import MatrixDefect
from jaxtutor.core.data.positions import Frame

MOST_ELEMENTS = 65_536  # of matrices that are remembered at one place
MOST_PLACES = 200


@dataclass(frozen=True)
class Defect:
    """What is wrong with a matrix, and its numbers."""

    kind: MatrixDefect
    detail: str


class MatrixDefects:
    """Remembers the matrices that each expression factored last."""

    def __init__(self) -> None:
        self._factored: dict[Frame, tuple[str, Any]] = {}

    def remember(self, name: str, matrices: Any, place: Frame | None) -> None:
        """Keep a copy of the matrices that an operation is given.

        A solution comes after the factors of its matrix, which say more than the triangles do.
        """
        if place is None or name not in _DESCRIBE or np.size(matrices) > MOST_ELEMENTS:
            return
        if name == "triangular_solve" and place in self._factored:
            return
        if place in self._factored or len(self._factored) < MOST_PLACES:
            self._factored[place] = name, np.array(matrices)

    def at(self, place: Frame | None) -> Defect | None:
        """Return what is wrong with the matrices of an expression, if anything is seen."""
        if place is None or place not in self._factored:
            return None
        name, matrices = self._factored[place]
        try:
            found = (_DESCRIBE[name](matrix) for matrix in _each(matrices))
            return next((defect for defect in found if defect is not None), None)
        except np.linalg.LinAlgError:  # its eigenvalues are not found either
            return None


def _each(matrices: Any) -> Iterator[Any]:
    """Yield the finite matrices of a stack, in 64 bits."""
    matrices = matrices.astype(np.result_type(matrices.dtype, np.float64))
    for matrix in matrices.reshape(-1, *matrices.shape[-2:]):
        if matrix.size and np.isfinite(matrix).all():
            yield matrix


def _tolerance(values: Any) -> float:
    """Return below which size a value is the same as 0 in float32."""
    return float(np.finfo(np.float32).eps * len(values) * np.abs(values).max())


def _indefinite(matrix: Any) -> Defect | None:
    values = np.linalg.eigvalsh(matrix)
    if values[0] > _tolerance(values):
        return None
    return Defect("indefinite", f"its eigenvalues go from {values[0]:.3g} to {values[-1]:.3g}")


def _singular(matrix: Any) -> Defect | None:
    values = np.linalg.svd(matrix, compute_uv=False)
    rank = int(np.count_nonzero(values > _tolerance(values)))
    if rank == len(values):
        return None
    return Defect("singular", f"it has {len(matrix)} rows, and its rank is {rank}")


def _zero_on_diagonal(matrix: Any) -> Defect | None:
    zeros = np.flatnonzero(np.diagonal(matrix) == 0)
    if not zeros.size:
        return None
    return Defect("singular", f"entry {int(zeros[0])} of its diagonal is 0")


def _equal_eigenvalues(matrix: Any) -> Defect | None:
    return _equal(np.linalg.eigvalsh(matrix), "eigenvalues")


def _equal_singular_values(matrix: Any) -> Defect | None:
    return _equal(np.linalg.svd(matrix, compute_uv=False)[::-1], "singular values")


def _equal(values: Any, name: str) -> Defect | None:
    """Describe two neighbours that are equal, of values in order."""
    near = np.flatnonzero(np.diff(values) <= _tolerance(values))
    if not near.size:
        return None
    return Defect("repeated", f"two of its {name} are {values[near[0]]:.4g}")


_DESCRIBE: dict[str, Callable[[Any], Defect | None]] = {
    "cholesky": _indefinite,
    "eigh": _equal_eigenvalues,
    "lu": _singular,
    "svd": _equal_singular_values,
    "triangular_solve": _zero_on_diagonal,
}
