# expects: unhashable-static at 17
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("beam",))
def expand(scores, logits, beam):
    total = scores[:, None] + jax.nn.log_softmax(logits)
    best, places = jax.lax.top_k(total.reshape(-1), beam)
    return best, places % logits.shape[-1]


width = 3
scores, tokens = expand(
    jnp.zeros(width), jnp.eye(3, 5), beam=jnp.asarray(width)
)
print(scores, tokens)
