# expects: check sharding
# says: Every device of the mesh holds whole arrays. The specs say which part each of them gets.
"""Ignores the specs."""

import jax
import orbax.checkpoint as ocp
from jax.sharding import PartitionSpec as P


def restore_elsewhere(path, shapes, specs, mesh):
    def describe(shape):
        there = jax.sharding.NamedSharding(mesh, P())
        return jax.ShapeDtypeStruct(shape.shape, shape.dtype, sharding=there)

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(describe, shapes))
