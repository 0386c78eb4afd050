"""Tables of stretches, joined in parallel."""

import jax
import jax.numpy as jnp


def join(left, right):
    return jax.nn.logsumexp(left[..., :, :, None] + right[..., None, :, :], axis=-2)


def hmm_loglik(log_pi, log_A, log_B, obs):
    seen = log_B.T[obs]
    first = log_pi + seen[0]
    tables = log_A[None] + seen[:, None, :]
    # The first table has the same row for every state: nothing comes before it.
    tables = tables.at[0].set(jnp.broadcast_to(first, log_A.shape))
    return jax.nn.logsumexp(jax.lax.associative_scan(join, tables)[-1][0])
