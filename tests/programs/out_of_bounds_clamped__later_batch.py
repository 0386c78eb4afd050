# expects: out-of-bounds-clamped at 8
import jax
import jax.numpy as jnp


@jax.jit
def embed(table, words):
    return table[words].mean(axis=0)


table = jnp.ones((8, 4))
for words in ([0, 3, 7], [1, 2, 5], [6, 8, 2]):
    embed(table, jnp.array(words))
