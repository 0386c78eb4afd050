# expects: check arguments
# says: Your step is written into the dict of the caller, who loses the old parameters. Under
#     `jax.jit` it is a copy that changes. Build a new tree.
"""Writes into the dict that it was given."""

import jax


def sgd(params, grads, lr):
    if isinstance(params, dict):
        for name in params:
            params[name] = sgd(params[name], grads[name], lr)
        return params
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)
