# expects: shape-mismatch-broadcast at 13
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Reader(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(20, 8, rngs=rngs)
        self.attend = nnx.MultiHeadAttention(2, 8, decode=False, rngs=rngs)

    def __call__(self, words, known):
        return self.attend(self.embed(words), mask=known)


words = jnp.array([[3, 7, 1, 0], [4, 0, 0, 0], [8, 2, 0, 0]])
print(Reader(nnx.Rngs(0))(words, words > 0).shape)
