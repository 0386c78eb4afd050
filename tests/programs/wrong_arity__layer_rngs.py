# expects: wrong-arity at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(3, 4)
        self.norm = nnx.LayerNorm(4, rngs=rngs)

    def __call__(self, x):
        return self.norm(self.linear(x))


Encoder(nnx.Rngs(0))(jnp.ones((2, 3)))
