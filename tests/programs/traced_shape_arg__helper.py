# expects: traced-shape-arg at 7
import jax
import jax.numpy as jnp


def make_mask(n, m):
    return jnp.ones((n, m), bool)


@jax.jit
def f(x, n):
    return jnp.where(make_mask(n, 3), x, 0.0)


f(jnp.ones(3), 3)
