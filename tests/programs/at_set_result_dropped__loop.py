# expects: at-set-result-dropped at 10
import jax.numpy as jnp


class Hist:
    def __init__(self, n):
        self.bins = jnp.zeros(n)

    def add(self, i):
        self.bins.at[i].add(1)


h = Hist(3)
for i in (0, 1):
    h.add(i)
