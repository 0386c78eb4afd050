# expects: check sharding
# says: Your arrays are all cut by rows. Each leaf has a spec of its own.
"""Cuts everything by rows over all devices."""

import jax
import orbax.checkpoint as ocp
from jax.sharding import PartitionSpec as P


def restore_elsewhere(path, shapes, specs, mesh):
    def describe(shape):
        there = jax.sharding.NamedSharding(mesh, P(mesh.axis_names))
        return jax.ShapeDtypeStruct(shape.shape, shape.dtype, sharding=there)

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(describe, shapes))
