# expects: config-flag-not-static at 8
import jax
import jax.numpy as jnp


@jax.jit
def dropout(x, key, training=False):
    if training:
        return x * jax.random.bernoulli(key, 0.5, x.shape)
    return x


dropout(jnp.ones(3), jax.random.key(0), training=True)
