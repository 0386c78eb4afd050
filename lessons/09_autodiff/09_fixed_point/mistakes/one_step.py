# expects: check gradient
# says: Your gradient leaves out the effect of `y` on itself: it is the gradient of one last step,
#     with `y` held fixed.
"""Differentiates the last step only, without the effect of y on itself."""

import jax
import jax.numpy as jnp


def fixed_point(f, a, y0):
    fixed = jax.lax.stop_gradient(a)

    def goes_on(state):
        before, now, rounds = state
        return (jnp.max(jnp.abs(now - before)) > 1e-6) & (rounds < 1000)

    def again(state):
        return state[1], f(fixed, state[1]), state[2] + 1

    y = jax.lax.while_loop(goes_on, again, (y0, f(fixed, y0), 1))[1]
    return f(a, jax.lax.stop_gradient(y))
