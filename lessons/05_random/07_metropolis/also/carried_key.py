"""The key is carried along, and split in three in each round."""

import jax
import jax.numpy as jnp


def metropolis(key, logp, x0, n, step):
    def body(carry, _):
        x, key = carry
        key, a, b = jax.random.split(key, 3)
        y = x + step * jax.random.normal(a)
        x = jnp.where(jnp.log(jax.random.uniform(b)) < logp(y) - logp(x), y, x)
        return (x, key), x

    return jax.lax.scan(body, (jnp.asarray(x0, jnp.float32), key), length=n)[1]
