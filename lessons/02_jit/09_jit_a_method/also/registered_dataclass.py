"""A class that JAX can look into: self is traced."""

from dataclasses import dataclass

import jax


@jax.tree_util.register_dataclass
@dataclass
class Affine:
    """Gives w @ x + b when called."""

    w: jax.Array
    b: jax.Array

    @jax.jit
    def __call__(self, x):
        return self.w @ x + self.b
