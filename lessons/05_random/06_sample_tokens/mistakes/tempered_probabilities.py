# expects: check values
# says: Your frequencies are the same at every temperature above 0: subtracting the same number
#     from all logits changes nothing. The temperature must divide them.
"""Takes softmax first and divides by the temperature afterwards."""

import jax
import jax.numpy as jnp


def sample(key, logits, temperature):
    safe = jnp.where(temperature > 0, temperature, 1)
    drawn = jax.random.categorical(key, jnp.log(jax.nn.softmax(logits)) - jnp.log(safe))
    return jnp.where(temperature > 0, drawn, jnp.argmax(logits))
