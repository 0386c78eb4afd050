# expects: value-instead-of-function at 11
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Policy(nnx.Module):
    def __init__(self, rngs):
        self.body = nnx.Linear(4, 8, rngs=rngs)
        self.head = nnx.Linear(8, 2, kernel_init=nnx.initializers.orthogonal(0.01)(rngs(), (8, 2)), rngs=rngs)

    def __call__(self, x):
        return self.head(nnx.tanh(self.body(x)))


print(jax.eval_shape(Policy(nnx.Rngs(0)), jnp.ones((3, 4))))
