# expects: large-intermediate at 8
import jax
import jax.numpy as jnp


@jax.jit
def pairwise(a, b):
    return jnp.sum((a[:, None] - b[None, :]) ** 2)


pairwise(jnp.ones(2000), jnp.ones(2000))
