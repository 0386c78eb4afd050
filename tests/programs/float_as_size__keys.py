# expects: float-as-size at 7
import jax
import jax.numpy as jnp


def dropout_keys(key, layers):
    keys = jax.random.split(key, layers / 2)
    return jnp.stack([jax.random.uniform(k) for k in keys])


print(dropout_keys(jax.random.key(0), 6))
