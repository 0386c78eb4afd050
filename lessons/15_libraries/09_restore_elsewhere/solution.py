"""Saved on eight, restored on four."""

import jax
import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    """Return the tree of a checkpoint, each leaf sharded on mesh as its spec says."""

    def describe(shape, spec):
        # The sharding is part of the description: each device reads its own part.
        there = jax.sharding.NamedSharding(mesh, spec)
        return jax.ShapeDtypeStruct(shape.shape, shape.dtype, sharding=there)

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(describe, shapes, specs))
