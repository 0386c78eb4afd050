# expects: integer-beyond-dtype at 9
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def nearest(distances, is_free):
    return jnp.argmin(jnp.where(is_free, distances, np.iinfo(np.int64).max))


print(nearest(jnp.array([4, 2, 9]), jnp.array([True, False, True])))
