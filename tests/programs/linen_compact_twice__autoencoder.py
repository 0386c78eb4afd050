# expects: linen-compact-twice at 17
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Compressor(nn.Module):
    code: int = 2

    @nn.compact
    def encode(self, x):
        return nn.Dense(self.code)(nn.relu(nn.Dense(10)(x)))

    @nn.compact
    def decode(self, z):
        z = nn.relu(nn.Dense(10)(z))
        return nn.Dense(6)(z)

    def __call__(self, x):
        return self.decode(self.encode(x))


rows = jax.random.normal(jax.random.key(0), (5, 6))
params = Compressor().init(jax.random.key(1), rows)
print(jnp.mean((Compressor().apply(params, rows) - rows) ** 2))
