# expects: none-argument at 10
import jax
import jax.numpy as jnp

planned = {"wing": None, "tail": 2.0}
measured = {"wing": jnp.ones(2), "tail": jnp.ones(2)}


def compare(plan, size):
    return jnp.subtract(size, plan)


jax.tree.map(compare, planned, measured, is_leaf=lambda leaf: leaf is None)
