# expects: specs-rank-mismatch at 10
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("d")))
f = jax.shard_map(lambda b: lax.pmean(b.mean(), "d"), mesh=mesh, in_specs=P("d"), out_specs=P("d"))
print(f(x))
