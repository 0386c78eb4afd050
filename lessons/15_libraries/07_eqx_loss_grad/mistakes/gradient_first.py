# expects: check values
# says: Your pair is the wrong way round: the loss comes first.
"""Returns the gradient before the loss."""

import equinox as eqx


def eqx_loss_grad(loss):
    @eqx.filter_jit
    def run(model, x, y):
        value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
        return grads, value

    return run
