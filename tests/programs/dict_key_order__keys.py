# expects: dict-key-order at 14
import jax
import jax.numpy as jnp


p = {"out": jnp.ones(2), "hidden": jnp.zeros(2)}


def norms(tree):
    return 0


leaves = jax.tree_util.tree_leaves(p)
table = {k: v for k, v in zip(p.keys(), leaves)}
