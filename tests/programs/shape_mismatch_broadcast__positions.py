# expects: shape-mismatch-broadcast at 15
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self, longest, width, rngs):
        self.words = nnx.Embed(20, width, rngs=rngs)
        self.places = nnx.Param(jax.random.normal(rngs.params(), (longest, width)) * 0.02)

    def __call__(self, tokens):
        x = self.words(tokens)
        return x + self.places[...]


encoder = Encoder(12, 8, nnx.Rngs(0))
print(encoder(jnp.zeros((2, 12), int)).shape)
print(encoder(jnp.zeros((2, 5), int)).shape)
