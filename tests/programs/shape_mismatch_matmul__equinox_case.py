# expects: shape-mismatch-matmul at 21
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Encoder(eqx.Module):
    first: eqx.nn.Linear
    second: eqx.nn.Linear

    def __init__(self, key):
        self.first = eqx.nn.Linear(6, 4, key=key)
        self.second = eqx.nn.Linear(4, 2, key=key)

    def __call__(self, x):
        return self.second(jax.nn.relu(self.first(x)))


encoder = Encoder(jax.random.key(0))
assert encoder(jnp.ones((5, 6))).shape == (5, 2)
