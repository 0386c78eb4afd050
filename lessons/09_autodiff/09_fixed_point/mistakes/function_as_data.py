# expects: check jaxpr
# says: `f` stands among the arguments that are differentiated, and a function has no gradient. It
#     has to be declared as one that is not.
"""Leaves f among the arguments that are differentiated."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def fixed_point(f, a, y0):
    def goes_on(state):
        return (jnp.max(jnp.abs(state[1] - state[0])) > 1e-6) & (state[2] < 1000)

    def again(state):
        return state[1], f(a, state[1]), state[2] + 1

    return jax.lax.while_loop(goes_on, again, (y0, f(a, y0), 1))[1]


def forward(f, a, y0):
    y = fixed_point(f, a, y0)
    return y, (f, a, y)


def backward(packed, g):
    f, a, y = packed
    _, pull_a = jax.vjp(lambda a: f(a, y), a)
    return None, pull_a(g)[0], None


fixed_point.defvjp(forward, backward)
