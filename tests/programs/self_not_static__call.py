# expects: self-not-static at 10
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    @jax.jit
    def __call__(self, x):
        return x @ self.w


Model()(jnp.ones(3))
