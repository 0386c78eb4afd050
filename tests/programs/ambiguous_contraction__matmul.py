# expects: ambiguous-contraction at 10
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
a = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P(None, "d")))
b = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P("d", None)))
print(a @ b)
