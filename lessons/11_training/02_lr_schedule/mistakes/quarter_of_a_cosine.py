# expects: check values
# says: Your rate falls along a quarter of a cosine. It starts and ends at the right height, but
#     the curve asked for runs over half a cosine, moved up and halved.
"""Falls along a quarter of a cosine, which starts at 1 and ends at 0 too."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    return jnp.where(step < warmup, peak * step / warmup, peak * jnp.cos(jnp.pi / 2 * way))
