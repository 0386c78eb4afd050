# expects: removed-api at 7
import jax
import jax.numpy as jnp


def bounded(tree):
    return jax.tree.map(lambda leaf: jnp.clip(leaf, a_min=0.0, a_max=1.0), tree)


bounded({"w": jnp.ones(3)})
