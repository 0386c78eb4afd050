# expects: haiku-untransformed at 10
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


@jax.jit
def scale(x):
    w = hk.get_parameter("w", [3], init=jnp.ones)
    return w * x


print(scale(jnp.ones(3)))
