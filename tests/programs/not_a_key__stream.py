# expects: not-a-key at 11
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx

rngs = nnx.Rngs(0, noise=1)


def blurred(x):
    return x + jax.random.normal(rngs.noise, x.shape)


print(blurred(jnp.ones(3)))
