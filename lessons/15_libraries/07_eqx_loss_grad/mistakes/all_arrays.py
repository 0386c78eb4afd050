# expects: grad-int-input at 13
"""Takes arrays of ints for parameters too."""

import equinox as eqx
import jax


def eqx_loss_grad(loss):
    @eqx.filter_jit
    def run(model, x, y):
        params, rest = eqx.partition(model, eqx.is_array)
        find = jax.value_and_grad(lambda params: loss(eqx.combine(params, rest), x, y))
        return find(params)

    return run
