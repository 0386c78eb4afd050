"""A script of the learner's own."""

import jax.numpy as jnp

scores = jnp.zeros(3)
scores.at[0].set(1.0)
print(scores)
