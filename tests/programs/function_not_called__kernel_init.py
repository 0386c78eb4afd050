# expects: function-not-called at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, rngs):
        self.body = nnx.Linear(5, 8, kernel_init=nnx.initializers.orthogonal, rngs=rngs)
        self.head = nnx.Linear(8, 2, bias_init=nnx.initializers.zeros, rngs=rngs)

    def __call__(self, x):
        return self.head(nnx.tanh(self.body(x)))


print(Policy(nnx.Rngs(2))(jnp.ones((3, 5))).shape)
