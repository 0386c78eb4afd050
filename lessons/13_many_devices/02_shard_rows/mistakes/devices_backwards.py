# expects: check blocks
# says: Your blocks are on the wrong devices: the order of the devices in your mesh is not their
#     own. Device 0 holds the first block.
"""Names the devices from the last to the first."""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = Mesh(np.array(jax.devices()[::-1]), ("d",))
    return jax.device_put(x, NamedSharding(mesh, P("d")))
