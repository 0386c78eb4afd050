"""One branch for each case, only one of which runs."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    def draw(_):
        return jax.random.categorical(key, logits / temperature).astype(jnp.int32)

    return jax.lax.cond(temperature == 0, lambda _: jnp.argmax(logits).astype(jnp.int32), draw, 0)
