# expects: unhashable-static-field at 15
# needs: equinox
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


class Stack(eqx.Module):
    parts: list
    scale: jax.Array

    def __init__(self, key):
        self.parts = [eqx.nn.Linear(2, 2, key=key)]
        self.scale = jnp.ones(2)

    def __call__(self, x):
        for part in self.parts:
            x = jnp.tanh(part(x))
        return self.scale * x


@partial(jax.jit, static_argnames="rest")
def predict(arrays, rest, x):
    return jax.vmap(eqx.combine(arrays, rest))(x)


arrays, rest = eqx.partition(Stack(jax.random.key(0)), eqx.is_array)
print(predict(arrays, rest, jnp.ones((3, 2))))
