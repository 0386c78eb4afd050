# expects: changed-argument-lost at 9
import jax
import jax.numpy as jnp


@jax.jit
def count(stats, x):
    total = jnp.sum(x)
    stats["seen"] = stats["seen"] + x.size
    return total


stats = {"seen": 0}
count(stats, jnp.ones(3))
count(stats, jnp.ones(3))
