"""A rule of its own: the direction passes unchanged."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def round_ste(x):
    return jnp.round(x)


@round_ste.defjvp
def rule(primals, tangents):
    return round_ste(*primals), tangents[0]
