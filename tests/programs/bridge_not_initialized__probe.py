# expects: bridge-not-initialized at 17
# needs: flax
import flax.linen as nn
import jax.numpy as jnp
from flax import nnx
from flax.nnx import bridge


class Body(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.relu(nn.Dense(4)(x))


class Probe(nnx.Module):
    def __init__(self, rngs):
        self.body = bridge.ToNNX(Body(), rngs=rngs)
        self.top = nnx.Linear(4, 1, rngs=rngs)

    def __call__(self, x):
        return self.top(self.body(x))


print(Probe(nnx.Rngs(0))(jnp.ones((2, 3))).shape)
