"""One number from all leaves: clip a tree by its global norm."""

import jax
import jax.numpy as jnp


def clip_by_global_norm(tree, max_norm):
    """Return tree, shortened to the length max_norm if it is longer."""

    # TODO: each leaf gets a norm of its own here; there is one for the whole tree.
    def clip(leaf):
        norm = jnp.sqrt(jnp.sum(leaf**2))
        return leaf * (max_norm / norm)

    return jax.tree.map(clip, tree)
