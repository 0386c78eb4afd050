# expects: check in-parts
# says: Your arrays are restored whole, on one device, and cut afterwards. Describe where each part
#     belongs before anything is read.
"""Restores to one device, and moves the arrays then."""

import jax
import orbax.checkpoint as ocp
from jax.sharding import NamedSharding, SingleDeviceSharding


def restore_elsewhere(path, shapes, specs, mesh):
    one = SingleDeviceSharding(jax.devices()[0])
    like = jax.tree.map(lambda s: jax.ShapeDtypeStruct(s.shape, s.dtype, sharding=one), shapes)
    with ocp.StandardCheckpointer() as checkpointer:
        tree = checkpointer.restore(path, like)
    return jax.tree.map(lambda a, spec: jax.device_put(a, NamedSharding(mesh, spec)), tree, specs)
