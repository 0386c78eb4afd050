# expects: loop-ends-in-first-round at 10
import jax
import jax.numpy as jnp


def penalty(params):
    total = 0.0
    for leaf in jax.tree.leaves(params):
        total += jnp.sum(leaf**2)
        return total


print(penalty({"w": jnp.ones((2, 3)), "b": jnp.ones(3)}))
