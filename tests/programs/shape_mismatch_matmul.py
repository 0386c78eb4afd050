# expects: shape-mismatch-matmul at 7
import jax
import jax.numpy as jnp


def layer(w, x):
    return jnp.dot(w, x)


jax.jit(layer)(jnp.ones((3, 4)), jnp.ones((2, 4)))
