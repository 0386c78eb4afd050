# expects: nnx-list-of-modules at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class N(nnx.Module):
    def __init__(self, rngs):
        self.layers = tuple(nnx.Linear(2, 2, rngs=rngs) for _ in range(2))

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

print(N(nnx.Rngs(0))(jnp.ones((1, 2))).shape)
