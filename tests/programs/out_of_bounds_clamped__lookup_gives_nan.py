# expects: out-of-bounds-clamped at 16
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Words(nn.Module):
    """Embeds words that are numbered from 1."""

    known: int

    @nn.compact
    def __call__(self, words):
        """Return one row for each word."""
        return nn.Embed(self.known, 4)(words).sum(-1)


words = jnp.array([1, 2, 3])
model = Words(known=3)
weights = model.init(jax.random.key(0), words)
print(jax.jit(model.apply)(weights, words))
