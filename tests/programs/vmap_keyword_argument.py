# expects: vmap-keyword-argument at 10
import jax
import jax.numpy as jnp


def f(x, scale):
    return x * scale


jax.vmap(f, in_axes=(0, None))(jnp.ones(3), scale=2.0)
