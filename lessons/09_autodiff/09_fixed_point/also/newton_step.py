"""One Newton step from the answer moves nothing, and has the right slope."""

import jax
import jax.numpy as jnp


def fixed_point(f, a, y0):
    stop = jax.lax.stop_gradient

    def goes_on(state):
        before, now, rounds = state
        return jnp.any(jnp.abs(now - before) > 1e-6) & (rounds < 1000)

    def again(state):
        return state[1], f(stop(a), state[1]), state[2] + 1

    start = stop(y0)
    y = stop(jax.lax.while_loop(goes_on, again, (start, f(stop(a), start), 0))[1])
    matrix = jnp.eye(y.size) - jax.jacfwd(lambda y: f(stop(a), y))(y).reshape(y.size, y.size)
    gap = (f(a, y) - y).reshape(-1)
    return y + jnp.linalg.solve(stop(matrix), gap).reshape(y.shape)
