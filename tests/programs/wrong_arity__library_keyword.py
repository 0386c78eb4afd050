# expects: wrong-arity at 7
import jax
import jax.numpy as jnp


def spread(x):
    centred = x - x.mean(axis=-1, keepdim=True)
    return jnp.abs(centred).max(axis=-1)


jax.jit(spread)(jnp.ones((2, 3)))
