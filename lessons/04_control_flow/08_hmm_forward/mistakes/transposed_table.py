# expects: check values
# says: Your answer reads the table the other way round: entry `[i, j]` leads from weather `i` to
#     weather `j` on the next day.
"""Takes the entry for the way back."""

import jax
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(la, o):
        return jax.nn.logsumexp(la[None, :] + log_A, axis=1) + log_B[:, o], None

    la, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return jax.nn.logsumexp(la)
