# expects: leaked-by-piecewise at 9
import jax
import jax.numpy as jnp


@jax.jit
def shrink(x, lam):
    """Return x pulled towards zero."""
    return jnp.piecewise(x, [x > lam, x < -lam], [lambda v: v - lam, lambda v: v + lam, 0.0])


shrink(jnp.arange(3.0), 1.0)
