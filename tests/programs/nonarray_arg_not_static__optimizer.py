# expects: nonarray-arg-not-static at 9
# needs: optax
from functools import partial

import jax
import optax


@partial(jax.jit, donate_argnames="w")
def step(w, state, tx):
    updates, state = tx.update(2 * w, state)
    return optax.apply_updates(w, updates), state


tx = optax.adam(1e-2)
w = jax.numpy.ones(3)
step(w, tx.init(w), tx)
