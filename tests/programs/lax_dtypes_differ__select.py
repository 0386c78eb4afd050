# expects: lax-dtypes-differ at 8
import jax
import jax.numpy as jnp


@jax.jit
def fill(counts, mask):
    return jax.lax.select(mask, counts, jnp.full(counts.shape, -1.0))


print(fill(jnp.arange(4), jnp.array([True, False, True, True])))
