# expects: check values
# says: After the warmup, your rate rises from 0 to `peak`: the cosine has the wrong sign.
"""Takes the other half of the cosine."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.minimum((step - warmup) / (total - warmup), 1)
    fall = jnp.where(step < total, peak * (1 - jnp.cos(jnp.pi * way)) / 2, 0.0)
    return jnp.where(step < warmup, peak * step / warmup, fall)
