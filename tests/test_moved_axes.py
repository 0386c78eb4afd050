"""Tests which reshapes count as an exchange of axes."""

from __future__ import annotations

import pytest

from jaxtutor.worker.watching.moved_axes import exchange

Shape = tuple[int, ...]


@pytest.mark.parametrize(
    ("before", "after", "form"),
    [
        ((2, 3), (3, 2), "moved"),
        ((4, 3, 16, 16), (4, 16, 16, 3), "moved"),
        ((10, 16), (4, 10, 4), "split"),
        ((32, 10, 16), (32, 4, 10, 4), "split"),
        ((3, 2, 5, 4), (3, 5, 8), "joined"),
    ],
)
def test_an_exchange_of_axes_is_named(before: Shape, after: Shape, form: str) -> None:
    """Axes in another order, and an axis whose part goes before another one, are an exchange."""
    assert form == exchange(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((10, 16), (10, 4, 4)),
        ((10, 4, 4), (10, 16)),
        ((1, 28, 28), (28, 28, 1)),
        ((8, 5), (1, 8, 5, 1)),
        ((64, 5), (4, 16, 5)),
        ((4, 16, 5), (64, 5)),
        ((6,), (2, 3)),
        ((5, 5), (5, 5)),
    ],
)
def test_a_reshape_in_order_is_no_exchange(before: Shape, after: Shape) -> None:
    """Axes that are split, joined or added where they are keep their order."""
    assert exchange(before, after) is None
