# expects: check sharding
# says: What you return are arrays of numpy, on the host, and not on the devices.
"""Returns arrays of numpy."""

import jax
import numpy as np
import orbax.checkpoint as ocp


def restore_elsewhere(path, shapes, specs, mesh):
    with ocp.StandardCheckpointer() as checkpointer:
        return jax.tree.map(np.asarray, checkpointer.restore(path, shapes))
