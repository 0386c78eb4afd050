# expects: none-argument at 9
import jax
import jax.numpy as jnp


@jax.jit
def attend(q, mask=None):
    s = q @ q.T
    return jnp.where(mask, s, -1e9)


attend(jnp.ones((2, 2)))
