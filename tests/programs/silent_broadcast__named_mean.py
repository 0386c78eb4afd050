# expects: silent-broadcast at 9
import jax
import jax.numpy as jnp


@jax.jit
def center(rows):
    mean = jnp.mean(rows, axis=-1)
    return rows - mean


print(center(jnp.arange(16.0).reshape(4, 4)))
