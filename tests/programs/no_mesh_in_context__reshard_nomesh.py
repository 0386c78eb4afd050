# expects: no-mesh-in-context at 6
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

print(jax.reshard(jnp.arange(8.0), P("d")))
