# expects: prng-key-reuse at 11
import jax
import jax.numpy as jnp

weights = {"hidden": jnp.zeros((4, 4)), "out": jnp.zeros((4, 4))}
scale = 0.1


def jitter(tree, key):
    return jax.tree.map(
        lambda leaf: leaf + scale * jax.random.normal(key, leaf.shape, leaf.dtype),
        tree,
    )


print(jitter(weights, jax.random.key(0))["out"])
