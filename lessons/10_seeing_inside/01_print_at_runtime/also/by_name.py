"""The value by its name, with a format."""

import jax


def traced_sum(x):
    s = x.sum()
    jax.debug.print("s={s:.3f}", s=s)
    return s
