# expects: check round-trip
# says: Your trees come back all alike: functions made in a loop all see the last value of its
#     variable. Bind the value, or call them at once.
"""Makes the functions first, which all see the last i."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)


def unstack(tree):
    count = jax.tree.leaves(tree)[0].shape[0]
    takers = [lambda leaf: leaf[i] for i in range(count)]
    return [jax.tree.map(take, tree) for take in takers]
