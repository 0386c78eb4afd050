"""Describes the leaves by arrays that are already in their place."""

import jax
import jax.numpy as jnp
import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    def empty(shape, spec):
        return jnp.zeros(shape.shape, shape.dtype, device=jax.NamedSharding(mesh, spec))

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(empty, shapes, specs))
