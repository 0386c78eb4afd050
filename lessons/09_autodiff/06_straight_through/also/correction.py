"""The usual form: x, and a correction without a slope."""

import jax
import jax.numpy as jnp


def round_ste(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)
