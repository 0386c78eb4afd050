# expects: sharding-not-divisible at 9
import jax
import jax.numpy as jnp


from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((4,), ("d",))
x = jax.device_put(jnp.ones(6), NamedSharding(mesh, P("d")))
