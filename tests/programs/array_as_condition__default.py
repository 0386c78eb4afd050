# expects: array-as-condition at 7
import jax.numpy as jnp


class Filter:
    def __init__(self, taps=None):
        self.taps = taps or jnp.ones(3) / 3

    def __call__(self, signal):
        return jnp.convolve(signal, self.taps, mode="same")


print(Filter(jnp.array([0.25, 0.5, 0.25]))(jnp.arange(6.0)))
