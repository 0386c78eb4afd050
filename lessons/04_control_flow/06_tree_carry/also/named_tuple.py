"""A named tuple for the carry."""

from typing import NamedTuple

import jax


class Moments(NamedTuple):
    """What is known of the numbers so far."""

    n: jax.Array | float = 0.0
    mean: jax.Array | float = 0.0
    m2: jax.Array | float = 0.0


def add(moments, x):
    n = moments.n + 1
    delta = x - moments.mean
    mean = moments.mean + delta / n
    return Moments(n, mean, moments.m2 + delta * (x - mean)), None


def welford(xs):
    end, _ = jax.lax.scan(add, Moments(), xs)
    return {"mean": end.mean, "var": end.m2 / end.n}
