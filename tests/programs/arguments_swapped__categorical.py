# expects: arguments-swapped at 8
import jax
import jax.numpy as jnp


@jax.jit
def draw(key, logits):
    tokens = jax.random.categorical(key, logits, (5,))
    return tokens


print(draw(jax.random.key(0), jnp.zeros(7)))
