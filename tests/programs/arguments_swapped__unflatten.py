# expects: arguments-swapped at 12
import jax
import jax.numpy as jnp


def from_vector(vector, template):
    leaves, structure = jax.tree.flatten(template)
    parts = []
    for leaf in leaves:
        part, vector = vector[: leaf.size], vector[leaf.size :]
        parts.append(part.reshape(leaf.shape))
    return jax.tree.unflatten(parts, structure)


print(from_vector(jnp.arange(5.0), {"a": jnp.zeros(3), "b": jnp.zeros((1, 2))}))
