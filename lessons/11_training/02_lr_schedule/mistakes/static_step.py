# expects: tracer-to-static-arg at 19
"""Makes the step static, which it never is in a compiled training step."""

import math
from functools import partial

import jax


@partial(jax.jit, static_argnames=("step", "warmup", "total", "peak"))
def rate(step, warmup, total, peak):
    if step < warmup:
        return peak * step / warmup
    way = min((step - warmup) / (total - warmup), 1)
    return peak * (1 + math.cos(math.pi * way)) / 2


def warmup_cosine(step, warmup, total, peak):
    return rate(step, warmup, total, peak)
