"""One number from all leaves: clip a tree by its global norm."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    """Return tree, scaled down to the norm max_norm if its norm is larger."""

    # TODO: this clips each leaf by its own norm, and scales up what is short.
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * (max_norm / norm)

    return jax.tree.map(clip, tree)
