# expects: leaked-by-append at 12
import jax
import jax.numpy as jnp


class Probe:
    def __init__(self):
        self.values = []

    def loss(self, w):
        h = w * 2
        self.values.append(h)
        return h.sum()


p = Probe()
jax.grad(p.loss)(jnp.ones(2))
print(p.values[0] + 1)
