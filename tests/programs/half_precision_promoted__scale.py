# expects: half-precision-promoted at 9
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def attend(weights, q, k, v):
    scores = q @ k.T / np.sqrt(8)
    return jax.nn.softmax(scores) @ v @ weights


x = jnp.ones((4, 8), jnp.bfloat16)
print(attend(jnp.eye(8, dtype=jnp.bfloat16), x, x, x).shape)
