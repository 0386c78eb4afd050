# expects: check settled
# says: Your loop always runs 1000 iterations, even if `y` has converged after a few.
"""Applies f a thousand times, whatever y does."""

from functools import partial

import jax
import jax.numpy as jnp


def iterate(step, start):
    return jax.lax.fori_loop(0, 1000, lambda _, y: step(y), start)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, y0):
    """Return the y near y0 for which y = f(a, y)."""
    return iterate(lambda y: f(a, y), y0)


def forward(f, a, y0):
    """Return the answer; it and a are all that the backward pass needs."""
    y = fixed_point(f, a, y0)
    return y, (a, y)


def backward(f, packed, g):
    """Solve for the effect of y on itself, and pull the result back to a."""
    a, y = packed
    _, pull_y = jax.vjp(lambda y: f(a, y), y)
    _, pull_a = jax.vjp(lambda a: f(a, y), a)
    u = iterate(lambda u: g + pull_y(u)[0], g)
    return pull_a(u)[0], None


fixed_point.defvjp(forward, backward)
