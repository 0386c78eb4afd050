"""The tree read as one vector; an infinite quotient is larger than 1."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def clip_by_global_norm(tree, max_norm):
    norm = jnp.linalg.norm(ravel_pytree(tree)[0])
    factor = jnp.minimum(1.0, max_norm / norm)
    return jax.tree.map(lambda leaf: leaf * factor, tree)
