# expects: mutable-field-default at 10
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Policy(nn.Module):
    actions: int
    bounds: dict = {"low": -1.0, "high": 1.0}

    @nn.compact
    def __call__(self, x):
        return jnp.clip(nn.Dense(self.actions)(x), self.bounds["low"], self.bounds["high"])


print(Policy(2).init(jax.random.key(0), jnp.ones(3)))
