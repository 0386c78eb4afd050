"""A recursion that carries the name."""

import jax.numpy as jnp


def mask_grads(grads, frozen, name=""):
    if isinstance(grads, dict):
        return {key: mask_grads(part, frozen, f"{name}{key}/") for key, part in grads.items()}
    if isinstance(grads, list | tuple):
        parts = [mask_grads(part, frozen, f"{name}{i}/") for i, part in enumerate(grads)]
        return type(grads)(parts)
    return jnp.zeros_like(grads) if name[:-1].startswith(frozen) else grads
