# expects: missing-return
import jax.numpy as jnp


class Layer:
    def __call__(self, x):
        h = jnp.tanh(x)


layer = Layer()


def f(x):
    h = layer(x)
    return jnp.sum(h)


f(jnp.ones(2))
