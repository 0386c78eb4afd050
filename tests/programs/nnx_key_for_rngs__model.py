# expects: nnx-key-for-rngs at 16
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, width, rngs):
        self.linear = nnx.Linear(3, width, rngs=rngs)

    def __call__(self, x):
        return self.linear(x)


model = Encoder(4, jax.random.PRNGKey(0))
print(model(jnp.ones(3)))
