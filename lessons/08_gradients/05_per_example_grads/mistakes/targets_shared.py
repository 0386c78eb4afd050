# expects: grad-nonscalar at 8
"""Forgets that the targets go with the inputs."""

import jax


def per_example(loss, params, xs, ys):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0, None))(params, xs, ys)
