"""Tests the description of a matrix whose factors, solution or derivative is not finite."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.worker.watching.matrices import MOST_ELEMENTS, Defect, MatrixDefects

PLACE = Frame("program.py", "f", Span(3, 1, 3, 20))
ONE_NEGATIVE = np.diag([2.0, -1.0])
RANK_ONE = np.ones((2, 2))


def defect(name: str, matrices: Any) -> Defect | None:
    """Return the description after an operation on some matrices."""
    watched = MatrixDefects()
    watched.remember(name, matrices, PLACE)
    return watched.at(PLACE)


@pytest.mark.parametrize(
    ("name", "matrix", "kind", "detail"),
    [
        ("cholesky", ONE_NEGATIVE, "indefinite", "its eigenvalues go from -1 to 2"),
        ("lu", RANK_ONE, "singular", "it has 2 rows, and its rank is 1"),
        ("triangular_solve", np.diag([1.0, 0.0]), "singular", "entry 1 of its diagonal is 0"),
        ("eigh", 3 * np.identity(2), "repeated", "two of its eigenvalues are 3"),
        ("svd", np.array([[1.0, 0, 0], [0, 1, 0]]), "repeated", "two of its singular values are 1"),
    ],
)
def test_the_defect_of_a_matrix_is_named(name: str, matrix: Any, kind: str, detail: str) -> None:
    """The matrix of an operation is described by the numbers that the operation fails for."""
    found = defect(name, matrix)
    assert found is not None
    assert (found.kind, found.detail) == (kind, detail)


@pytest.mark.parametrize("name", ["cholesky", "lu", "triangular_solve", "eigh", "svd", "sin"])
def test_a_matrix_without_a_defect_is_not_described(name: str) -> None:
    """A matrix that an operation can handle has no description."""
    assert defect(name, np.diag([1.0, 2.0])) is None


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_matrix_that_is_not_finite_is_not_described(wrong: float) -> None:
    """A matrix that had a NaN or an infinity before is not what the first one comes from."""
    assert defect("cholesky", np.full((2, 2), wrong)) is None


def test_the_wrong_matrix_of_a_stack_is_described() -> None:
    """Of several matrices the first one with a defect is described."""
    found = defect("cholesky", np.stack([np.identity(2), ONE_NEGATIVE]))
    assert found is not None
    assert found.kind == "indefinite"


def test_complex_matrices_are_described() -> None:
    """A Hermitian matrix has real eigenvalues."""
    found = defect("cholesky", np.array([[1, 2j], [-2j, 1]], np.complex64))
    assert found is not None
    assert found.detail == "its eigenvalues go from -1 to 3"


def test_the_factors_of_a_matrix_come_before_its_solution() -> None:
    """The rank of a matrix is reported, and not the zero in its triangle."""
    watched = MatrixDefects()
    watched.remember("lu", RANK_ONE, PLACE)
    watched.remember("triangular_solve", np.diag([1.0, 0.0]), PLACE)
    found = watched.at(PLACE)
    assert found is not None
    assert "rank" in found.detail


def test_large_matrices_are_not_kept() -> None:
    """A matrix above the limit is not copied."""
    assert defect("cholesky", -np.identity(int(MOST_ELEMENTS**0.5) + 1)) is None


def test_the_arrays_of_the_program_are_not_held() -> None:
    """A buffer can be donated and used for something else: its matrix is copied."""
    matrix = RANK_ONE.copy()
    watched = MatrixDefects()
    watched.remember("lu", matrix, PLACE)
    matrix[:] = np.identity(2)
    assert watched.at(PLACE) is not None
