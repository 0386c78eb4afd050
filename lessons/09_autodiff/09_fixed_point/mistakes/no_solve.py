# expects: check gradient
# says: Your gradient leaves out the effect of `y` on itself: it is the gradient of one last step,
#     with `y` held fixed.
"""Pulls back to a, and forgets that y acts on itself."""

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
    _, pull_a = jax.vjp(lambda a: f(a, y), a)
    return pull_a(g)[0], None


fixed_point.defvjp(forward, backward)
