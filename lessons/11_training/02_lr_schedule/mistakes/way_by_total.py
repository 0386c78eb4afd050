# expects: check values
# says: Your cosine is not at its end when the steps are: `way` should be 1 at `total`. How many
#     steps are there from `warmup` to `total`?
"""Divides the way down by the number of all steps."""

import jax
import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / total, 0, 1)
    fall = peak * (1 + jnp.cos(jnp.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, fall)
