# expects: arguments-swapped at 7
import jax
import jax.numpy as jnp


def decayed(params, rate):
    return jax.tree.map(params, lambda p: p * (1 - rate))


print(decayed({"w": jnp.ones((2, 2)), "b": jnp.ones(2)}, 0.1))
