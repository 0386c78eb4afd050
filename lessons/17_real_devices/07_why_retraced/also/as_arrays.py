"""Asks an array of JAX for its type, and the leaves for their paths."""

import jax
import jax.numpy as jnp


def describe(leaf):
    array = jnp.asarray(leaf)
    return {"shape": array.shape, "dtype": array.dtype, "weak_type": array.weak_type}


def why_retraced(before, after):
    if jax.tree.structure(before) != jax.tree.structure(after):
        return ["structure"]
    olds = jax.tree.leaves(before)
    found = []
    for (path, new), old in zip(jax.tree_util.tree_leaves_with_path(after), olds, strict=True):
        was, now = describe(old), describe(new)
        found += [f"{jax.tree_util.keystr(path)}: {key}" for key in was if was[key] != now[key]]
    return found
