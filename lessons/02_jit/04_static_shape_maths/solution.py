"""Arithmetic with shapes: join the leading axes."""

import math


def merge_leading(x):
    """Return x with all axes but the last joined into one."""
    # Shapes are Python ints, so the product is done while tracing and stays static.
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])
