"""The structure turned inside out, then lists made arrays, and the reverse."""

import jax
import jax.numpy as jnp


def stack(trees):
    outer, inner = jax.tree.structure([0] * len(trees)), jax.tree.structure(trees[0])
    turned = jax.tree.transpose(outer, inner, trees)
    return jax.tree.unflatten(inner, map(jnp.array, inner.flatten_up_to(turned)))


def unstack(tree):
    lists = jax.tree.map(list, tree)
    count = len(jax.tree.leaves(tree)[0])
    outer, inner = jax.tree.structure(tree), jax.tree.structure([0] * count)
    return jax.tree.transpose(outer, inner, lists)
