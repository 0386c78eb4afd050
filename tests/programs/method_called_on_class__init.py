# expects: method-called-on-class at 16
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)


def start(seed):
    key = jax.random.key(seed)
    return Head.init(key, jnp.ones((1, 3)))


print(start(0))
