# expects: check stops
# says: Your loop has no limit. Where nothing converges, it should stop after 1000 iterations.
"""Goes on for as long as something changes."""

from functools import partial

import jax
import jax.numpy as jnp


def iterate(step, start):
    def goes_on(state):
        before, now, rounds = state
        return jnp.max(jnp.abs(now - before)) > 1e-6

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
    u = iterate(lambda u: g + pull(u)[1], g)
    return pull(u)[0], None


fixed_point.defvjp(forward, backward)
