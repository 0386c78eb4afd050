# expects: heads-do-not-divide at 14
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Mixer(nn.Module):
    heads: int = 6

    @nn.compact
    def __call__(self, x):
        h = nn.LayerNorm()(x)
        return x + nn.SelfAttention(num_heads=self.heads)(h)


x = jnp.ones((2, 4, 16))
print(Mixer().init_with_output(jax.random.key(0), x)[0].shape)
