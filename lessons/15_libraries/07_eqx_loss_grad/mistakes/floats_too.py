# expects: check values
# says: Your gradient has an entry for a Python float. It is a setting of the model, and not an
#     array.
"""Differentiates with respect to Python floats."""

import equinox as eqx
import jax


def eqx_loss_grad(loss):
    @eqx.filter_jit
    def run(model, x, y):
        def is_float(leaf):
            return eqx.is_inexact_array(leaf) or isinstance(leaf, float)

        params, rest = eqx.partition(model, is_float)
        return jax.value_and_grad(lambda params: loss(eqx.combine(params, rest), x, y))(params)

    return run
