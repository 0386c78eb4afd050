# expects: linen-shape-changed at 33
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Autoencoder(nn.Module):
    @nn.compact
    def encode(self, x):
        return nn.Dense(2, name="bottleneck")(nn.relu(nn.Dense(8)(x)))

    @nn.compact
    def decode(self, z):
        return nn.Dense(4, name="output")(z)

    @nn.compact
    def score(self, x):
        return nn.Dense(1)(x)

    def __call__(self, x):
        return self.decode(self.encode(x))


rows = jax.random.normal(jax.random.key(0), (16, 4))
model = Autoencoder()
params = model.init(jax.random.key(1), rows)
print(model.apply(params, rows).shape)


@jax.jit
def codes(params, x):
    return model.apply(params, x)


print(codes(params, jnp.ones((3, 5))))
