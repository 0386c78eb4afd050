# expects: incompatible-devices at 10
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((4,), ("x",))
table = jax.device_put(jnp.ones(4), NamedSharding(mesh, P("x")))
shift = jax.device_put(jnp.ones(4), jax.devices()[1])
print(table + shift)
