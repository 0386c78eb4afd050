# expects: linen-init-overridden at 12
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Attention(nn.Module):
    width: int
    heads: int = 2

    def __post_init__(self):
        assert self.width % self.heads == 0

    @nn.compact
    def __call__(self, x):
        return nn.MultiHeadDotProductAttention(self.heads, qkv_features=self.width)(x, x)


layer = Attention(8)
print(layer.init_with_output(jax.random.key(0), jnp.ones((1, 3, 8)))[0].shape)
