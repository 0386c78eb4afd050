# expects: leaked-by-append at 11
import jax
import jax.numpy as jnp


seen = []


def f(x):
    y = jnp.sin(x)
    seen.append(y)
    return y


jax.vmap(f)(jnp.ones(3))
print(jnp.stack(seen))
