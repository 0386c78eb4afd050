"""One of two branches."""

import jax
import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    def up(step):
        return jnp.float32(peak) * step / warmup

    def down(step):
        way = jnp.minimum((step - warmup) / (total - warmup), 1.0)
        return jnp.float32(peak) * 0.5 * (1.0 + jnp.cos(jnp.pi * way))

    return jax.lax.cond(step < warmup, up, down, step)
