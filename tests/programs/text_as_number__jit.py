# expects: text-as-number at 12
import json

import jax
import jax.numpy as jnp

settings = json.loads('{"rate": "0.5", "size": 3}')

step = jax.jit(lambda x, rate: x - rate * jnp.sign(x))


print(step(jnp.ones(settings["size"]), settings["rate"]))
