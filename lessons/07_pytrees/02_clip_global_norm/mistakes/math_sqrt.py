# expects: python-math-on-tracer at 11
"""Takes the root with Python's math."""

import math

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norm = math.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))
    factor = max_norm / jnp.maximum(norm, max_norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
