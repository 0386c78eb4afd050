# expects: timed-before-finished at 20
import time
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="power")
def attend(query, keys, power):
    scores = query @ keys.T
    return jax.nn.softmax(scores**power, axis=-1) @ keys


keys = jax.random.normal(jax.random.key(0), (64, 16))
queries = [keys[:8], keys[8:16]]
start = time.time()
for query in queries * 10:
    out = attend(query, keys, power=2)
print("ms per call:", (time.time() - start) / 20 * 1e3 > 0)
