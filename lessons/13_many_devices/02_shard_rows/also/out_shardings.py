"""Uses the out_shardings of a compiled function."""

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def shard_rows(x):
    mesh = Mesh(np.array(jax.devices()), ("d",))
    spec = P("d", *[None] * (x.ndim - 1))
    return jax.jit(lambda x: x, out_shardings=NamedSharding(mesh, spec))(x)
