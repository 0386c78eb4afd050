# expects: function-not-called at 12
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Readout(nn.Module):
    @nn.compact
    def __call__(self, h):
        shape = (h.shape[-1], 3)
        w = self.param("w", nn.initializers.xavier_uniform, shape)
        return jnp.dot(h, w)


hidden = jnp.ones((2, 6))
print(Readout().init_with_output(jax.random.key(4), hidden)[0].shape)
