# expects: grad-int-input at 9
"""Differentiates with respect to the tree, which holds integers."""

import jax


def minimize_tree(loss, tree, steps):
    def step(t, _):
        slopes = jax.grad(loss)(t)
        return jax.tree.map(lambda p, g: p - 0.1 * g, t, slopes), None

    last, _ = jax.lax.scan(step, tree, length=steps)
    return last
