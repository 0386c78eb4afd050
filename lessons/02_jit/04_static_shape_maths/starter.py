"""Arithmetic with shapes: join the leading axes."""

import jax.numpy as jnp


def merge_leading(x):
    """Return x with all axes but the last joined into one."""
    # TODO: this works without jax.jit. Under it, the product is a tracer and not a size.
    rows = jnp.prod(jnp.array(x.shape[:-1]))
    return x.reshape(rows, x.shape[-1])
