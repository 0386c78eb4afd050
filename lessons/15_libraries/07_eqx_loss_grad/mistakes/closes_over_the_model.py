# expects: check one-trace
# says: A new function is compiled for each model, because the model is a constant of it. Pass the
#     model as an argument of the compiled function.
"""Compiles a function that closes over the model."""

import equinox as eqx
import jax


def eqx_loss_grad(loss):
    def run(model, x, y):
        params, rest = eqx.partition(model, eqx.is_inexact_array)

        @jax.jit
        def compiled(params):
            return jax.value_and_grad(lambda p: loss(eqx.combine(p, rest), x, y))(params)

        return compiled(params)

    return run
