# expects: check any-batch
# says: Your numbers are right, but `f` is traced again when a batch arrives. An exported program
#     never runs your Python again.
"""Exports again for each batch."""

import jax
import jax.numpy as jnp
from jax import export


class Model:
    platforms = ("cpu", "cuda", "tpu")

    def __init__(self, f, d):
        self.f, self.d = f, d

    def call(self, x):
        if x.shape[1] != self.d:
            raise ValueError("another width")
        return export.export(jax.jit(self.f), platforms=self.platforms)(x).call(x)


def export_model(f, d):
    return Model(f, d)
