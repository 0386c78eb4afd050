# expects: scan-over-batch-axis at 16
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Reader(nn.Module):
    size: int

    @nn.compact
    def __call__(self, series):
        carry = nn.LSTMCell(self.size, parent=None).initialize_carry(
            jax.random.key(0), series[:, 0].shape
        )
        cells = nn.scan(nn.LSTMCell, variable_broadcast="params", split_rngs={"params": False})
        carry, _ = cells(self.size)(carry, series)
        return nn.Dense(1)(carry[1])


series = jnp.ones((6, 11, 2))
params = Reader(5).init(jax.random.key(1), series)
print(Reader(5).apply(params, series).shape)
