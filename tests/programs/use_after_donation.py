# expects: use-after-donation at 15
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, donate_argnums=0)
def step(x):
    return x + 1


a = jnp.ones(3)
b = step(a)
print(a + b)
