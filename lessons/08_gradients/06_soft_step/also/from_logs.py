"""The logarithms of the weights first."""

import jax
import jax.numpy as jnp


def soft_argmax(x, beta):
    scores = x * beta
    weights = jnp.exp(scores - jax.nn.logsumexp(scores))
    return jnp.average(jnp.arange(x.size, dtype=jnp.float32), weights=weights)
