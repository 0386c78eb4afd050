# expects: seed-not-integer at 8
import time

import jax


def draw(seed):
    return jax.random.normal(jax.random.PRNGKey(seed), (3,))


print(draw(time.time()).shape)
