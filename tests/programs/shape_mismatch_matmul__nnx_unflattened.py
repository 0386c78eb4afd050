# expects: shape-mismatch-matmul at 13
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Digits(nnx.Module):
    def __init__(self, rngs):
        self.hidden = nnx.Linear(64, 16, rngs=rngs)
        self.out = nnx.Linear(16, 10, rngs=rngs)

    def __call__(self, images):
        x = nnx.gelu(self.hidden(images))
        return self.out(x)


print(Digits(nnx.Rngs(0))(jnp.ones((5, 8, 8))).shape)
