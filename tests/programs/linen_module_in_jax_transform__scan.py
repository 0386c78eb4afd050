# expects: linen-module-in-jax-transform at 13
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class RNN(nn.Module):
    @nn.compact
    def __call__(self, xs):
        cell = nn.GRUCell(features=4)
        carry = jnp.zeros((4,))
        carry, ys = jax.lax.scan(cell, carry, xs)
        return ys


net = RNN()
params = net.init(jax.random.key(0), jnp.ones((7, 3)))
