# expects: shape-grows-each-call at 13
import jax
import jax.numpy as jnp


@jax.jit
def guess(tokens):
    return (tokens.sum() * 7 + 3) % 11


tokens = jnp.array([1])
for _ in range(5):
    tokens = jnp.concatenate([tokens, guess(tokens)[None]])
