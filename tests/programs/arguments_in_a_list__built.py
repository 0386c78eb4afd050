# expects: arguments-in-a-list at 10
# needs: optax
import optax


def make(clip, rate):
    parts = [optax.adam(rate)]
    if clip:
        parts.insert(0, optax.clip_by_global_norm(clip))
    return optax.chain(parts)


make(1.0, 1e-3)
