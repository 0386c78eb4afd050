# expects: scan-over-batch-axis at 13
# needs: flax
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp


class Steps(nn.Module):
    size: int

    @partial(nn.scan, variable_broadcast="params", in_axes=0, split_rngs={"params": False})
    @nn.compact
    def __call__(self, carry, x):
        carry = nn.tanh(nn.Dense(self.size)(x) + nn.Dense(self.size, use_bias=False)(carry))
        return carry, carry


class Reader(nn.Module):
    @nn.compact
    def __call__(self, readings):
        start = jnp.zeros((readings.shape[0], 3))
        last, _ = Steps(3)(start, readings)
        return nn.Dense(1)(last)


print(Reader().init_with_output(jax.random.key(0), jnp.ones((5, 8, 2)))[0].shape)
