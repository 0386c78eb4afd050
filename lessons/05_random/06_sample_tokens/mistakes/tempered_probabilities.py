# expects: check values
# says: Your answer does not follow the temperature: the lower it is, the more often the largest
#     logit should win. Check where the temperature enters.
"""Takes softmax first and divides by the temperature afterwards."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    drawn = jax.random.categorical(key, jnp.log(jax.nn.softmax(logits)) - jnp.log(safe))
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
