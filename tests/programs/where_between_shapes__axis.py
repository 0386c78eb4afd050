# expects: where-between-shapes at 9
import jax
import jax.numpy as jnp


@jax.jit
def total(x, axis):
    """Return sums along an axis."""
    return jnp.where(axis == 0, x.sum(0), x.sum(1))


total(jnp.ones((2, 3)), 1)
