# expects: probabilities-as-logits at 9
import jax
import jax.numpy as jnp


@jax.jit
def draw(key, scores, temperature):
    chances = jax.nn.softmax(scores / temperature, axis=-1)
    return jax.random.categorical(key, chances)


print(draw(jax.random.key(0), jnp.arange(4.0), 0.5))
