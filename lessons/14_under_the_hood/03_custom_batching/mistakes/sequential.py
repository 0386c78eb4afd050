# expects: check one-call
# says: Your answers are right, but they are computed one after the other in a loop. The rule
#     should solve the whole batch in one call.
"""Takes the ready-made rule, which is a loop."""

import jax.numpy as jnp
from jax.custom_batching import sequential_vmap


@sequential_vmap
def solve_one(A, b):
    return jnp.linalg.solve(A, b)
