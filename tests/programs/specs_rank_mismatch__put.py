# expects: specs-rank-mismatch at 8
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
print(jax.device_put(jnp.arange(8.0), NamedSharding(mesh, P("d", None))))
