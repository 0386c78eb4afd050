# expects: field-not-set at 14
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Affine(eqx.Module):
    weight: jax.Array
    bias: jax.Array

    def __init__(self, n):
        self.weight = jnp.ones(n)
        bias = jnp.zeros(n)


Affine(3)
