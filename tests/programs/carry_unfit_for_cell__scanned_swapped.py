# expects: carry-unfit-for-cell at 14
# needs: flax
import jax
import jax.numpy as jnp
from flax import linen as nn


class Reader(nn.Module):
    @nn.compact
    def __call__(self, x):
        scanned = nn.scan(nn.LSTMCell, variable_broadcast="params", split_rngs={"params": False}, in_axes=1, out_axes=1)
        cell = scanned(4)
        carry = cell.initialize_carry(jax.random.key(0), x[:, 0].shape)
        carry, out = cell(x, carry)
        return out

x = jnp.ones((2, 5, 3))
print(Reader().init(jax.random.key(0), x)["params"].keys())
