# expects: nothing
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Reader(nn.Module):
    size: int

    @nn.compact
    def __call__(self, state, series):
        cells = nn.scan(nn.LSTMCell, variable_broadcast="params", split_rngs={"params": False})
        return cells(self.size)(state, series)


def last_state(size, shape, series):
    state = nn.LSTMCell(size).initialize_carry(jax.random.key(0), shape)
    (_, hidden), _ = Reader(size).init_with_output(jax.random.key(1), state, series)[0]
    return hidden


steps, batch, features = 11, 11, 4
noise = jax.random.normal(jax.random.key(2), (steps, batch, features))
print(last_state(5, (batch, features), noise).shape)
print(last_state(5, (1, features), jnp.ones((steps, features))).shape)
