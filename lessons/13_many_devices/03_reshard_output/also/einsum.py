"""One operation does both."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def replicated_sum_rows(x):
    home = NamedSharding(jax.typeof(x).sharding.mesh, P(None))
    return jnp.einsum("ij->i", x, out_sharding=home)
