# expects: attention-mask-rank at 14
# needs: flax
import jax.numpy as jnp
from flax import nnx


class Reader(nnx.Module):
    def __init__(self, *, rngs):
        self.table = nnx.Embed(9, 4, rngs=rngs)
        self.attend = nnx.MultiHeadAttention(2, 4, decode=False, rngs=rngs)

    def __call__(self, tokens):
        x = self.table(tokens)
        before = nnx.make_causal_mask(x)
        return self.attend(x, mask=before)


print(Reader(rngs=nnx.Rngs(0))(jnp.array([[1, 2, 3]])).shape)
