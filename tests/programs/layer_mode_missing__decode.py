# expects: layer-mode-missing at 9
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Mixer(nnx.Module):
    def __init__(self, size, rngs):
        self.heads = nnx.MultiHeadAttention(num_heads=2, in_features=size, rngs=rngs)

    def __call__(self, series):
        return series + self.heads(series)


print(Mixer(4, nnx.Rngs(0))(jnp.ones((2, 5, 4))).shape)
