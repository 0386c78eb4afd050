# expects: check values
# says: Your answer is shaped like `xs`: it is the gradient with respect to the inputs. The
#     parameters are the first argument of `loss`.
"""Differentiates with respect to the inputs."""

import jax


def per_example(loss, params, xs, ys):
    return jax.vmap(jax.grad(loss, argnums=1), in_axes=(None, 0, 0))(params, xs, ys)
