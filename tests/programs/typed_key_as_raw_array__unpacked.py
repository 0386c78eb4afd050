# expects: typed-key-as-raw-array at 9
import jax
import jax.numpy as jnp


@jax.jit
def two_normals(key):
    """Return two draws."""
    first, second = key
    return jnp.stack([jax.random.normal(first), jax.random.normal(second)])


two_normals(jax.random.key(0))
