# expects: check values
# says: Your loss is that of the parameters after the step. The one to return belongs to the
#     parameters that came in, and `jax.value_and_grad` has computed it already.
"""Returns the loss after the step."""

import jax
import optax


def make_step(loss, tx):
    @jax.jit
    def step(params, state, batch):
        grads = jax.grad(loss)(params, batch)
        updates, state = tx.update(grads, state, params)
        params = optax.apply_updates(params, updates)
        return params, state, loss(params, batch)

    return step
