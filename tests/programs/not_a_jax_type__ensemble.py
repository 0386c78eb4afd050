# expects: not-a-jax-type at 22
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Value(eqx.Module):
    body: eqx.nn.MLP

    def __init__(self, size, key):
        self.body = eqx.nn.MLP(size, "scalar", 8, 1, key=key)

    def __call__(self, state):
        return self.body(state)


class Ensemble:
    def __init__(self, count, size, seed):
        self.size = size
        keys = jax.random.split(jax.random.key(seed), count)
        self.members = jax.vmap(self.member)(keys)

    def member(self, key):
        return Value(self.size, key)

    def __call__(self, state):
        return eqx.filter_vmap(lambda m: m(state))(self.members)


print(Ensemble(3, 2, 0)(jnp.ones(2)))
