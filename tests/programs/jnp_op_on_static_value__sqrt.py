# expects: jnp-op-on-static-value at 8
import jax
import jax.numpy as jnp


@jax.jit
def split_heads(x):
    side = int(jnp.sqrt(x.shape[-1]))
    return x.reshape(side, side)


split_heads(jnp.ones(16))
