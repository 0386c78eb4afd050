# expects: outer-value-read at 13
import jax
import jax.numpy as jnp


@jax.jit
def step(w, rows):
    return w - 0.1 * jnp.mean(w - rows)


def fit(w, blocks):
    for block in blocks:
        w = step(w, blocks)
    return w


print(fit(jnp.float32(0.0), jnp.arange(6.0).reshape(3, 2)))
