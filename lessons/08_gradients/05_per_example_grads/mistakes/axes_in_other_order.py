# expects: vmap-non-array at 8
"""Says of the last argument that it is shared."""

import jax


def per_example(loss, params, xs, ys):
    return jax.vmap(jax.grad(loss), in_axes=(0, 0, None))(params, xs, ys)
