# expects: arguments-swapped at 9
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("rows",))
spec = P("rows")
sharding = NamedSharding(spec, mesh)
print(jax.device_put(jnp.arange(4.0), sharding))
