# expects: float-as-size at 9
import jax
import jax.numpy as jnp


@jax.jit
def split_heads(x, heads=2):
    length, width = x.shape
    return jnp.reshape(x, (length, 2, width / 2))


print(split_heads(jnp.ones((5, 8))).shape)
