"""Uses the filtered transformations."""

import equinox as eqx


def eqx_loss_grad(loss):
    return eqx.filter_jit(eqx.filter_value_and_grad(loss))
