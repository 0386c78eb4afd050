# expects: check gradient-slow
# says: Your gradient is right where the loop converges quickly, and too small where it does not:
#     the iteration for `u` ends too early.
"""Solves for u with a fixed number of iterations."""

from functools import partial

import jax
import jax.numpy as jnp


def iterate(step, start):
    def goes_on(state):
        before, now, rounds = state
        return (jnp.max(jnp.abs(now - before)) > 1e-6) & (rounds < 1000)

    def again(state):
        _, now, rounds = state
        return now, step(now), rounds + 1

    return jax.lax.while_loop(goes_on, again, (start, step(start), 1))[1]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, y0):
    return iterate(lambda y: f(a, y), y0)


def forward(f, a, y0):
    y = fixed_point(f, a, y0)
    return y, (a, y)


def backward(f, packed, g):
    a, y = packed
    _, pull = jax.vjp(f, a, y)
    u = jax.lax.fori_loop(0, 50, lambda _, u: g + pull(u)[1], g)
    return pull(u)[0], None


fixed_point.defvjp(forward, backward)
