# expects: check dtype
# says: Your answer is float32 also where `q` is bfloat16. Computing in float32 is right; the
#     result goes back to the dtype of `q`.
"""Returns float32 for every input."""

import jax.numpy as jnp
from jax import lax


def attention(q, k, v, chunk):
    T, d = q.shape
    queries = q.astype(jnp.float32) / d**0.5

    def step(carry, piece):
        top, total, acc = carry
        keys, values = piece
        s = queries @ keys.T
        new = jnp.maximum(top, s.max(axis=1))
        shrink = jnp.exp(top - new)  # the past was measured against the old largest
        w = jnp.exp(s - new[:, None])
        total = total * shrink + w.sum(axis=1)
        return (new, total, acc * shrink[:, None] + w @ values), None

    start = (jnp.full(T, -jnp.inf), jnp.zeros(T), jnp.zeros((T, d)))
    pieces = [x.astype(jnp.float32).reshape(-1, chunk, d) for x in (k, v)]
    (_, total, acc), _ = lax.scan(step, start, tuple(pieces))
    return acc / total[:, None]
