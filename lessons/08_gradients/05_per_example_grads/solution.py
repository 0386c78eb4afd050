"""A gradient for each example: grad inside, vmap outside."""

import jax


def per_example(loss, params, xs, ys):
    """Return the gradient of loss with respect to params for each example."""
    # The gradient for one example, then mapped: params are shared, the data is not.
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, xs, ys)
