# expects: check values
# says: Each of your steps begins with an empty memory, as the first one did: momentum and averages
#     never build up.
"""Returns the old state."""

import jax
import optax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        updates, _ = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    return step
