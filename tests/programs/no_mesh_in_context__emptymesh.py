# expects: no-mesh-in-context at 8
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.sharding.get_abstract_mesh()
print(jax.reshard(jnp.arange(8.0), NamedSharding(mesh, P())))
