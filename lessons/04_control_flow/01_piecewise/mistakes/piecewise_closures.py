# expects: check leaks
# says: Your values are right, but a tracer stays behind: JAX caches functions that are passed as
#     options, as `jnp.piecewise` does, together with the traced values they use. Pass `lam` as an
#     extra argument instead.
"""Passes functions that close over lam to jnp.piecewise."""

import jax.numpy as jnp


def soft_shrink(x, lam):
    return jnp.piecewise(
        x, [x > lam, x < -lam], [lambda v: v - lam, lambda v: v + lam, lambda v: 0 * v]
    )
