# expects: custom-vmap-no-pair at 13
import jax
import jax.numpy as jnp


@jax.custom_batching.custom_vmap
def f(x):
    return x * x


@f.def_vmap
def rule(axis_size, in_batched, x):
    return x * x


print(jax.vmap(f)(jnp.ones(3)))
