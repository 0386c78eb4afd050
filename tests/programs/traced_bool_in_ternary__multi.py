# expects: traced-bool-in-ternary at 9
import jax
import jax.numpy as jnp


def step(x, v):
    v = (
        -v
        if x[0] > 1.0
        else v
    )
    return x + v


jax.jit(step)(jnp.ones(2), jnp.ones(2))
