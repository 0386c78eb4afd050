"""Which part of a model is traced."""

import equinox as eqx
import jax


def eqx_loss_grad(loss):
    """Return a compiled run(model, x, y): the loss, and its gradient for float arrays."""

    @eqx.filter_jit
    def run(model, x, y):
        # Python floats, ints and functions stay in the rest.
        params, rest = eqx.partition(model, eqx.is_inexact_array)

        def loss_of(params):
            return loss(eqx.combine(params, rest), x, y)

        return jax.value_and_grad(loss_of)(params)

    return run
