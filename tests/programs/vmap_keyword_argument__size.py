# expects: vmap-keyword-argument at 11
import jax
import jax.numpy as jnp


def f(x, w):
    return (x * w).sum()


run = jax.vmap(f, in_axes=(0, None))
run(jnp.ones((3, 2)), w=jnp.ones(2))
