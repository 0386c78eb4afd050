# expects: numpy-call-on-tracer at 10
"""Uses the cosine of NumPy."""

import jax.numpy as jnp
import numpy as np


def warmup_cosine(step, warmup, total, peak):
    way = jnp.clip((step - warmup) / (total - warmup), 0, 1)
    down = peak * (1 + np.cos(np.pi * way)) / 2
    return jnp.where(step < warmup, peak * step / warmup, down)
