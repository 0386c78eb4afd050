# expects: inplace-assignment at 10
import jax.numpy as jnp


class Buf:
    def __init__(self):
        self.data = jnp.zeros(4)

    def push(self, i, v):
        self.data[i] = v


Buf().push(0, 1.0)
