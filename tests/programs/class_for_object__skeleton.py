# expects: class-for-object at 24
# needs: equinox
import io

import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    factor: jax.Array

    def __init__(self, size, start):
        self.factor = jnp.full(size, start)

    def __call__(self, x):
        return self.factor * x


def load(file):
    file.seek(0)
    return eqx.tree_deserialise_leaves(
        file,
        Scale,
    )


file = io.BytesIO()
eqx.tree_serialise_leaves(file, Scale(3, 2.0))
print(load(file)(jnp.ones(3)))
