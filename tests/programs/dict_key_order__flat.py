# expects: dict-key-order at 9
import jax
import jax.numpy as jnp

params = {"weights": jnp.ones((2, 2)), "bias": jnp.zeros(2)}


def flatten(tree):
    return jnp.concatenate([value.ravel() for value in tree.values()])


def unflatten(flat):
    leaves, structure = jax.tree.flatten(params)
    parts, start = [], 0
    for leaf in leaves:
        parts.append(flat[start : start + leaf.size].reshape(leaf.shape))
        start += leaf.size
    return jax.tree.unflatten(structure, parts)


print(unflatten(flatten(params))["bias"])
