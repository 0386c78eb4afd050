# expects: shape-mismatch-broadcast at 8
import jax
import jax.numpy as jnp


def f(x):
    m = jnp.arange(5) > 2
    return jnp.where(m, x, 0.0)


jax.jit(f)(jnp.ones(4))
