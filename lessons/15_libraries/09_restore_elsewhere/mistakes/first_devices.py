# expects: check sharding
# says: Your arrays are on other devices than those of the mesh that was passed.
"""Makes a mesh of its own from the first devices."""

import jax
import numpy as np
import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    devices = np.array(jax.devices()[: mesh.size]).reshape(mesh.devices.shape)
    mine = jax.sharding.Mesh(devices, mesh.axis_names)

    def describe(shape, spec):
        there = jax.sharding.NamedSharding(mine, spec)
        return jax.ShapeDtypeStruct(shape.shape, shape.dtype, sharding=there)

    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, jax.tree.map(describe, shapes, specs))
