"""Which part of a model is traced."""

import equinox as eqx
import jax


def eqx_loss_grad(loss):
    """Return a compiled run(model, x, y): the loss, and its gradient for float arrays."""

    def run(model, x, y):
        # TODO: jax.grad refuses every leaf that is not an array of floats.
        return jax.value_and_grad(loss)(model, x, y)

    return run
