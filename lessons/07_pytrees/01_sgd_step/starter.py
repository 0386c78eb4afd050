"""One function over every leaf: a step of gradient descent."""

import jax


def sgd(params, grads, lr):
    """Return params after one step against grads, in the same structure."""
    # TODO: this handles one level of a dict, and trees may be deeper.
    return {name: params[name] - lr * grads[name] for name in params}
