# expects: check structure
# says: Your gradient has the right numbers, but as a list. An optimiser needs the structure of the
#     model.
"""Returns the gradients as a list."""

import equinox as eqx
import jax


def eqx_loss_grad(loss):
    @eqx.filter_jit
    def run(model, x, y):
        value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
        return value, jax.tree.leaves(grads)

    return run
