# expects: check values
# says: Each of your places sees all places, the later ones too. In training it would read the
#     character that it is to predict.
"""Does not mask."""

import jax
import jax.numpy as jnp

def attend(q, k, v):
    """Return for each place a mean of v up to there. All have shape (heads, length, size)."""
    scores = q @ jnp.swapaxes(k, -1, -2) / q.shape[-1] ** 0.5
    # Before the softmax: what is left out gets weight 0, and the other weights add up to 1.
    return jax.nn.softmax(scores, axis=-1) @ v
