# expects: missing-return at 9
import jax
import jax.numpy as jnp


def shrink(params, rate):
    # The biases are left alone.
    # Or so it is meant.
    def decay(path, leaf):
        if path[-1].key == "kernel":
            return leaf * (1 - rate)

    return jax.tree_util.tree_map_with_path(decay, params)


params = {"kernel": jnp.ones((2, 3)), "bias": jnp.full(3, 5.0)}
for _ in range(3):
    params = shrink(params, 0.1)
print("norm", sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params)))
