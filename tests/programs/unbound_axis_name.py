# expects: unbound-axis-name at 7
import jax
import jax.numpy as jnp


def f(x):
    return x / jax.lax.psum(x, "i")


f(jnp.ones(3))
