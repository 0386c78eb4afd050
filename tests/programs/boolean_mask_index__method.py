# expects: boolean-mask-index at 11
import jax
import jax.numpy as jnp


class Data:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def of_class(self, c):
        return self.x[self.y == c]


d = Data(jnp.arange(4.0), jnp.array([0, 1, 0, 1]))
jax.jit(lambda c: d.of_class(c).mean())(1)
