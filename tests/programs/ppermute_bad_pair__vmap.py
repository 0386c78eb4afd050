# expects: ppermute-bad-pair at 8
import jax
import jax.numpy as jnp
from jax import lax


def shift(b):
    return lax.ppermute(b, "d", [(i, i + 1) for i in range(8)])


print(jax.vmap(shift, axis_name="d")(jnp.arange(8.0)))
