# expects: check gradient
# says: In your equation for `u`, the effect of `y` on itself has the wrong sign.
"""Solves with 1 + f_y instead of 1 - f_y."""

from functools import partial

import jax
import jax.numpy as jnp


def iterate(step, start):
    def goes_on(state):
        before, now, rounds = state
        return (jnp.max(jnp.abs(now - before)) > 1e-6) & (rounds < 1000)

    def again(state):
        return state[1], step(state[1]), state[2] + 1

    return jax.lax.while_loop(goes_on, again, (start, step(start), 1))[1]


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, a, y0):
    return iterate(lambda y: f(a, y), y0)


def forward(f, a, y0):
    y = fixed_point(f, a, y0)
    return y, (a, y)


def backward(f, packed, g):
    a, y = packed
    _, pull_y = jax.vjp(lambda y: f(a, y), y)
    _, pull_a = jax.vjp(lambda a: f(a, y), a)
    u = iterate(lambda u: g - pull_y(u)[0], g)
    return pull_a(u)[0], None


fixed_point.defvjp(forward, backward)
