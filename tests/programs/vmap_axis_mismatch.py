# expects: vmap-axis-mismatch at 10
import jax
import jax.numpy as jnp


def f(w, x):
    return w @ x


jax.vmap(f)(jnp.ones((3, 2)), jnp.ones((5, 2)))
