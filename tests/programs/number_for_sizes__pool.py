# expects: number-for-sizes at 12
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Digits(nn.Module):
    @nn.compact
    def __call__(self, images):
        x = nn.relu(nn.Conv(4, (3, 3))(images))
        x = nn.avg_pool(x, 2, strides=2)
        return nn.Dense(10)(x.reshape(x.shape[0], -1))


images = jnp.ones((2, 8, 8, 1))
print(Digits().init_with_output(jax.random.key(0), images)[0].shape)
