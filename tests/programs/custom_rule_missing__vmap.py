# expects: custom-rule-missing at 7
import jax
import jax.numpy as jnp


@jax.custom_batching.custom_vmap
def f(x):
    return x * x


print(jax.vmap(f)(jnp.ones(3)))
