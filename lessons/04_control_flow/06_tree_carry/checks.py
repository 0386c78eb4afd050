"""Checks for tree-carry."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Types, Uses

EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float32)).gives({"mean": 3.0, "var": 14 / 3}),
    Call(np.array([5.0, 5.0], np.float32)).gives({"mean": 5.0, "var": 0.0}),
]


def hidden(rng):
    """Yield a single number, equal numbers, fifty numbers and numbers of very different size."""
    yield Call(np.array([-3.0], np.float32)).when("a single number")
    yield Call(np.full(7, 0.1, np.float32)).when("equal numbers")
    yield Call(rng.normal(size=50).astype(np.float32))
    yield Call(np.array([1000.0, 0.5, -1000.0, 3.0], np.float32)).when(
        "a first number far from the mean"
    )


def stays_accurate(welford):
    """Return what is wrong with the variance of numbers around ten thousand, or None."""
    xs = (10_000 + np.cos(np.arange(1000.0))).astype(np.float32)
    wanted = float(np.var(xs.astype(np.float64)))
    got = float(jax.jit(welford)(xs)["var"])
    if not abs(got - wanted) <= 0.05 * wanted:
        return (
            f"for numbers around ten thousand the variance is {wanted:.3g}, but it gives {got:.3g}"
        )
    return None


THREE = np.array([1.0, 2.0, 6.0], np.float32)

PROPERTIES = [
    SameSize(
        [Call(np.ones(8, np.float32)), Call(np.ones(200, np.float32))],
        says="200 elements take no more equations than 8.",
    ),
    Uses([Call(THREE)], primitives=("scan",), says="Its jaxpr contains a scan."),
    Types([Call(THREE)], weak=False, says="Both answers are float32 numbers, in a dict."),
    Custom(
        "accurate",
        "For numbers around ten thousand the variance is right to within 5 percent.",
        stays_accurate,
    ),
]
