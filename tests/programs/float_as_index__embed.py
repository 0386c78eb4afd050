# expects: float-as-index at 16
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Model(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        return nn.Dense(4)(nn.Embed(16, 8)(tokens))


model = Model()
tokens = jnp.zeros((2, 5))
params = model.init(jax.random.key(0), tokens)
