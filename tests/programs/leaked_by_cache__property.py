# expects: leaked-by-cache at 12
import functools

import jax
import jax.numpy as jnp


class Grid:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def points(self):
        return jnp.linspace(0, 1, self.n)


g = Grid(4)
jax.jit(lambda x: x * g.points)(2.0)
print(g.points + 1)
