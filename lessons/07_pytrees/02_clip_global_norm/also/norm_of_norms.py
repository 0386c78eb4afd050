"""A norm for each leaf, then the norm of those; one of two branches is run."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    norms = [jnp.linalg.norm(leaf.ravel()) for leaf in jax.tree.leaves(tree)]
    norm = jnp.linalg.norm(jnp.stack(norms))

    def shorten(tree):
        return jax.tree.map(lambda leaf: leaf * (max_norm / norm), tree)

    return jax.lax.cond(norm > max_norm, shorten, lambda tree: tree, tree)
