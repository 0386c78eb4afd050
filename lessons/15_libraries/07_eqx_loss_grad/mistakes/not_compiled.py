# expects: check one-trace
# says: Nothing is compiled: the loss runs in Python for each model.
"""Forgets to compile."""

import equinox as eqx


def eqx_loss_grad(loss):
    return eqx.filter_value_and_grad(loss)
