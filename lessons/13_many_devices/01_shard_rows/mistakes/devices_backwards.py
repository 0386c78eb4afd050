# expects: check blocks
"""Names the devices from the last to the first."""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = Mesh(np.array(jax.devices()[::-1]), ("d",))
    return jax.device_put(x, NamedSharding(mesh, P("d")))
