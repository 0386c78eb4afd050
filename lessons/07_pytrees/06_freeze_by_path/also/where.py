"""The choice is made in the program, with leaves and paths taken out first."""

import jax
import jax.numpy as jnp


def mask_grads(grads, frozen):
    pairs, structure = jax.tree_util.tree_flatten_with_path(grads)
    names = [
        "/".join(str(getattr(key, "key", getattr(key, "idx", ""))) for key in p) for p, _ in pairs
    ]
    kept = [
        jnp.where(name.startswith(frozen), 0, g) for name, (_, g) in zip(names, pairs, strict=True)
    ]
    return jax.tree.unflatten(structure, kept)
