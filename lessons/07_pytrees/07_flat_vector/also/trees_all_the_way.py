"""No vector: the floats are split off, and carried through the loop as a list."""

import jax
import jax.numpy as jnp


def minimize_tree(loss, tree, steps):
    leaves, structure = jax.tree.flatten(tree)
    moves = [jnp.issubdtype(jnp.result_type(leaf), jnp.floating) for leaf in leaves]

    def whole(moving):
        rest = iter(moving)
        return structure.unflatten(
            next(rest) if m else leaf for m, leaf in zip(moves, leaves, strict=True)
        )

    def step(moving, _):
        slopes = jax.grad(lambda moving: loss(whole(moving)))(moving)
        return jax.tree.map(lambda p, g: p - 0.1 * g, moving, slopes), None

    moving = [leaf for m, leaf in zip(moves, leaves, strict=True) if m]
    last, _ = jax.lax.scan(step, moving, None, length=steps)
    return whole(last)
