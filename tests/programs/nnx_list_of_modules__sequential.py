# expects: nnx-list-of-modules at 8
# needs: flax
import jax.numpy as jnp
from flax import nnx


def mlp(rngs):
    return nnx.Sequential([nnx.Linear(3, 2, rngs=rngs), nnx.relu])

print(mlp(nnx.Rngs(0))(jnp.ones((1, 3))).shape)
