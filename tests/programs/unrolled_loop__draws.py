# expects: unrolled-loop at 9
import jax
import jax.numpy as jnp


@jax.jit
def write(table, key):
    word, words = 0, []
    for _ in range(50):
        key, draw = jax.random.split(key)
        word = jax.random.categorical(draw, table[word])
        words += [word]
    return jnp.stack(words)


print(write(jnp.ones((5, 5)), jax.random.key(0)))
