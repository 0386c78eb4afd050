# expects: layer-mode-missing at 12
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, training=False):
        x = nn.Dense(4)(x)
        return nn.Dropout(0.1)(x)


Net().init(jax.random.key(0), jnp.ones((2, 3)))
