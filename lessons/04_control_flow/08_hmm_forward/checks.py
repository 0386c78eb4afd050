"""Checks for hmm-forward."""

import itertools

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Finite, Gradient, SameSize, Vmap


def logs(*rows):
    """Return the logarithms of rows, scaled to sum to 1; the logarithm of 0 is -inf."""
    table = np.array(rows, np.float64)
    with np.errstate(divide="ignore"):
        return np.log(table / table.sum(axis=-1, keepdims=True)).astype(np.float32)


def reports(*symbols):
    """Return a series of reports."""
    return np.array(symbols, np.int32)


TWO = (logs(1, 1), logs([1, 1], [1, 3]), logs([2, 2], [1, 3]))

EXAMPLES = [
    Call(*TWO, reports(0)).gives(-0.98083),
    Call(*TWO, reports(0, 1)).gives(-1.41804),
]

# Tables that are not symmetric, with three kinds of weather and two reports.
MODEL = (logs(5, 3, 2), logs([6, 3, 1], [1, 7, 2], [4, 4, 2]), logs([9, 1], [5, 5], [2, 8]))

# It starts in the first season and never goes back, so the third cannot come on the second day.
SEASONS = (logs(1, 0, 0), logs([2, 1, 0], [0, 1, 1], [0, 0, 1]), logs([3, 1], [1, 1], [1, 2]))


def hidden(rng):
    """Yield four days of a random model, and weather that cannot occur."""
    tables = (rng.uniform(0.1, 1, size=shape) for shape in ((3,), (3, 3), (3, 2)))
    yield Call(*(logs(*table) for table in tables), rng.integers(0, 2, size=4).astype(np.int32))
    yield Call(*SEASONS, reports(0, 1, 0)).when("weather that cannot occur on some days")


FOUR = reports(0, 1, 1, 0)


def tells_all_stories(hmm_loglik):
    """Return how the answer differs from the sum over every story of four days, or None."""
    pi, a, b = (np.exp(table.astype(np.float64)) for table in MODEL)
    total = 0.0
    for story in itertools.product(range(3), repeat=4):
        chance = pi[story[0]] * b[story[0], FOUR[0]]
        for day in range(1, 4):
            chance *= a[story[day - 1], story[day]] * b[story[day], FOUR[day]]
        total += chance
    got = float(jax.jit(hmm_loglik)(*MODEL, FOUR))
    if not abs(got - np.log(total)) <= 1e-3:
        return f"the sum over all 81 stories has the logarithm {np.log(total):.4f}, not {got:.4f}"
    return None


def days(count):
    """Return a call with a long series of reports."""
    return Call(*MODEL, (np.arange(count) * 7 % 5 < 2).astype(np.int32))


PROPERTIES = [
    Custom("all-stories", "It is the sum over every story of the weather.", tells_all_stories),
    SameSize(
        [days(10), days(200)],
        factor=8,
        says="200 days take at most 8 times as many equations as 10.",
    ),
    Finite(
        [days(2000)],
        gradient=True,
        argnums=1,
        says="For 2000 days it is finite, and so is its gradient with respect to log_A.",
    ),
    Vmap(
        [Call(*MODEL, np.stack([FOUR, 1 - FOUR]))],
        in_axes=(None, None, None, 0),
        says="Under jax.vmap over the reports each series gets its own answer.",
    ),
    Gradient([Call(*MODEL, FOUR)], argnums=1, says="Its gradient with respect to log_A is right."),
]
