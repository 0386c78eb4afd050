# expects: raised: ValueError
# Registers a class as a tree twice.
import jax.numpy as jnp
import jax


class Odd:
    pass


for _ in range(2):
    jax.tree_util.register_pytree_node(Odd, lambda odd: ((), None), lambda aux, children: Odd())


def safe_clip_positive(x):
    """Return x with its negative elements replaced by 0."""
    return jnp.where(x < 0, 0, x)
