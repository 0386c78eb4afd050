# expects: result-not-finite at 7
import jax
import jax.numpy as jnp


def update(state, x):
    return state - 0.5 * jnp.sqrt(state), x * state


@jax.jit
def drain(level, xs):
    return jax.lax.scan(lambda s, x: update(s - x, x), level, xs)


drain(jnp.array(2.0), jnp.full(8, 0.5))
