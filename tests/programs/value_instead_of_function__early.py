# expects: value-instead-of-function at 10
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Rating(nn.Module):
    width: int = 8
    activation = nn.gelu()

    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(self.activation(nn.Dense(self.width)(x)))


print(Rating().init(jax.random.key(0), jnp.ones((2, 3))))
