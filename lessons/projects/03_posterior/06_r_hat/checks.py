"""Checks for the comparison of chains."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Vmap


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(array([[0, 1, 0, 1], [0, 1, 0, 1]])).gives(0.70710677),
    Call(array([[0, 1, 2, 3]])).gives(2.1213203),
]


def hidden(rng):
    """Yield chains that agree, that disagree, that drift, and one alone."""
    yield Call(rng.normal(size=(4, 50)).astype(np.float32))
    apart = rng.normal(size=(3, 20)) + np.array([[0], [0], [2]])
    yield Call(apart.astype(np.float32)).when("chains in different places")
    drift = rng.normal(size=(3, 20)) + np.linspace(0, 4, 20)
    yield Call(drift.astype(np.float32)).when("chains that all drift")
    yield Call(rng.normal(size=(1, 30)).astype(np.float32)).when("a single chain")
    yield Call((1000 + rng.normal(size=(2, 40))).astype(np.float32)).when("draws far from 0")


RNG = np.random.default_rng(11)
TABLE = RNG.normal(size=(4, 2000)).astype(np.float32)


def known(r_hat):
    """Return what is wrong for draws whose answer is known."""
    same = float(r_hat(TABLE))
    if not 0.995 < same < 1.01:
        return f"for independent draws it is {same:.3f}; expected 1"
    apart = float(r_hat(TABLE + array([[0], [0], [2], [2]])))
    # Of eight halves, four have the mean 0 and four 2: the variance of the means is 8 / 7.
    if abs(apart - np.sqrt(1 + 8 / 7)) > 0.05:
        return f"for chains around 0 and 2 it is {apart:.3f}; expected {np.sqrt(1 + 8 / 7):.3f}"
    drift = float(r_hat(TABLE + np.linspace(0, 4, 2000, dtype=np.float32)))
    return None if drift > 1.2 else f"for chains that drift it is {drift:.3f}; expected more"


PROPERTIES = [
    SameSize([Call(TABLE[:2, :10]), Call(TABLE)], says="More draws take no more equations."),
    Vmap([Call(TABLE.reshape(4, 4, 500))], says="Under jax.vmap it works for each quantity."),
    Custom("known", "It is 1 for independent draws, and more where chains differ or drift.", known),
]
