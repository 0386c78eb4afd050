# expects: jvp-needs-tuples at 8
"""Passes the arguments without tuples."""

import jax


def directional(f, x, v):
    return jax.jvp(f, x, v)[1]
