# expects: check sharding
# says: Your description has shapes and dtypes, but not the places. The arrays do not arrive on the
#     mesh.
"""Leaves the sharding out of the description."""

import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    with ocp.StandardCheckpointer() as checkpointer:
        return checkpointer.restore(path, shapes)
