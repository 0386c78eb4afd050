# expects: check values
"""Looks for tracers in the answer."""

import jax


def leaks(transform, f, *args):
    answer = transform(f)(*args)
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(answer))
