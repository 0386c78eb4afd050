# expects: leaked-by-attribute at 16
import jax
import jax.numpy as jnp


class Log:
    last = None


class Layer:
    def __init__(self):
        self.log = Log()

    def __call__(self, w, x):
        h = x @ w
        self.log.last = h
        return h.sum()


layer = Layer()
jax.grad(layer)(jnp.ones((2, 2)), jnp.ones((3, 2)))
print(layer.log.last.mean() + 1)
