# expects: numpy-call-on-tracer at 10
import jax
import jax.numpy as jnp


import numpy as onp


def softmax(x):
    e = onp.exp(x - x.max())
    return e / e.sum()


jax.jit(softmax)(jnp.arange(3.0))
