# expects: prng-key-reuse at 19
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Model(eqx.Module):
    linear: eqx.nn.Linear
    dropout: eqx.nn.Dropout
    key: jax.Array

    def __init__(self, key):
        self.key, sub = jax.random.split(key)
        self.linear = eqx.nn.Linear(4, 4, key=sub)
        self.dropout = eqx.nn.Dropout(0.5)

    def __call__(self, x):
        return self.dropout(self.linear(x), key=self.key)


model = Model(jax.random.key(0))
x = jnp.ones(4)
for _ in range(4):
    print(model(x))
