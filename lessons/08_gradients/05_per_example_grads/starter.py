"""A gradient for each example: grad inside, vmap outside."""

import jax
import jax.numpy as jnp


def per_example(loss, params, xs, ys):
    """Return the gradient of loss with respect to params for each example."""
    # TODO: this is one gradient of the sum, not one for each example.
    losses = jax.vmap(loss, in_axes=(None, 0, 0))
    return jax.grad(lambda params: losses(params, xs, ys).sum())(params)
