# expects: check slow
# says: Your loop ends while one element still changes, because most others have settled. It
#     should continue until no single element changes by more than 1e-6.
"""Looks at the mean change of all elements."""

from functools import partial

import jax
import jax.numpy as jnp


def iterate(step, start):
    def goes_on(state):
        before, now, rounds = state
        return (jnp.mean(jnp.abs(now - before)) > 1e-6) & (rounds < 1000)

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
