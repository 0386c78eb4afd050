"""Any optimiser, one step."""

import jax
import optax


def make_step(loss, tx):
    """Return a compiled step(params, state, batch): new params, new state, loss."""

    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        # With the parameters: decay is a share of them.
        updates, state = tx.update(grads, state, params)
        return optax.apply_updates(params, updates), state, value

    return step
