# expects: check values
# says: Your leaves have the new axis at the end. It should be the first.
"""Puts the new axis last."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves, axis=-1), *trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[-1]
    return [jax.tree.map(lambda leaf: leaf[..., i], tree) for i in range(count)]
