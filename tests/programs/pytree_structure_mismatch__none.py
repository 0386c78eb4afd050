# expects: pytree-structure-mismatch at 7
import jax
import jax.numpy as jnp


def upd(params, grads):
    return jax.tree_util.tree_map(lambda p, g: p - g, params, grads)


upd({"w": jnp.ones(2), "b": jnp.ones(2)}, {"w": jnp.ones(2), "b": None})
