# expects: shape-mismatch-broadcast at 11
import jax
import jax.numpy as jnp


class Norm:
    def __init__(self, n):
        self.scale = jnp.ones(n)

    def __call__(self, x):
        return x * self.scale


jax.jit(lambda x: Norm(3)(x))(jnp.ones((2, 4)))
