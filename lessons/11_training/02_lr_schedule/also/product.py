"""The way up and the way down are factors, and each stops at 1."""

import jax.numpy as jnp


def warmup_cosine(step, warmup, total, peak):
    rise = jnp.minimum(step / warmup, 1.0)
    fall = jnp.cos(jnp.clip((step - warmup) / (total - warmup), 0.0, 1.0) * jnp.pi / 2) ** 2
    return peak * rise * fall
