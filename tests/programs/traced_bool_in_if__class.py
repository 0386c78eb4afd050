# expects: traced-bool-in-if at 12
import jax
import jax.numpy as jnp


class Clipper:
    def __init__(self, limit):
        self.limit = limit

    def __call__(self, x):
        n = jnp.linalg.norm(x)
        if n > self.limit:
            x = x * self.limit / n
        return x


jax.jit(Clipper(1.0))(jnp.ones(3))
