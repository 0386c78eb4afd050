# expects: scan-over-batch-axis at 19
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class SimpleScan(nn.Module):
    features: int

    @nn.compact
    def __call__(self, c, xs):
        LSTM = nn.scan(nn.LSTMCell, variable_broadcast="params", split_rngs={"params": False})
        return LSTM(self.features)(c, xs)


batch_size, features = 11, 13
key_1, key_2 = jax.random.split(jax.random.key(0))
xs = jax.random.uniform(key_1, (batch_size, features))
carry_0 = nn.LSTMCell(features).initialize_carry(jax.random.key(0), (batch_size, features))
model = SimpleScan(features)
variables = model.init(key_2, carry_0, xs)
out_state, out_val = model.apply(variables, carry_0, xs)
print(out_val.shape)
