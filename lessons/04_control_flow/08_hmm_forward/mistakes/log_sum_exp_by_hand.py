# expects: check finite
# says: Your answer computes with probabilities, and after some hundred days they are too small for
#     `float32` and become 0. Stay with logarithms, and take out the largest term before an
#     exponential.
"""Goes back to probabilities in each step."""

import jax.numpy as jnp
from jax import lax


def hmm_loglik(log_pi, log_A, log_B, obs):
    def step(log_p, symbol):
        arrived = jnp.log(jnp.sum(jnp.exp(log_p[:, None] + log_A), axis=0))
        return arrived + log_B[:, symbol], None

    last, _ = lax.scan(step, log_pi + log_B[:, obs[0]], obs[1:])
    return jnp.log(jnp.sum(jnp.exp(last)))
