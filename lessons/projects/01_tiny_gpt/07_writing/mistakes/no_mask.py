# expects: check values
# says: Your query sees the empty places of the cache as well. They hold numbers without a
#     meaning.
"""Does not mask the empty places."""

import jax
import jax.numpy as jnp

CONTEXT = 64
HEADS = 4


def norm(x):
    """Scale each row to a mean square of 1."""
    return x * jax.lax.rsqrt(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6)


def next_logits(params, cache, token, place):
    """Return the scores after the token at a place, and the cache with that place filled."""
    x = params["tok"][token] + params["pos"][place]

    def layer(x, each):
        p, k, v = each
        q, new_k, new_v = (norm(x) @ p["qkv"]).reshape(3, HEADS, -1)
        k, v = k.at[:, place].set(new_k), v.at[:, place].set(new_v)
        scores = jnp.einsum("hs,hts->ht", q, k) / q.shape[-1] ** 0.5
        mixed = jnp.einsum("ht,hts->hs", jax.nn.softmax(scores), v).reshape(x.shape)
        x = x + mixed @ p["out"]
        return x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"], (k, v)

    each = (params["blocks"], cache["k"], cache["v"])
    x, (k, v) = jax.lax.scan(layer, x, each)
    return norm(x) @ params["head"], {"k": k, "v": v}
