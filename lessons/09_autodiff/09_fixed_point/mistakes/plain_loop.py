# expects: reverse-mode-through-while at 17
"""Goes back through a loop without a fixed length."""

import jax
import jax.numpy as jnp


def fixed_point(f, a, y0):
    def goes_on(state):
        before, now, rounds = state
        return (jnp.max(jnp.abs(now - before)) > 1e-6) & (rounds < 1000)

    def again(state):
        _, now, rounds = state
        return now, f(a, now), rounds + 1

    return jax.lax.while_loop(goes_on, again, (y0, f(a, y0), 1))[1]
