# expects: specs-count-mismatch at 15
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("d")))


def step(b):
    return b, 2 * b


f = jax.shard_map(step, mesh=mesh, in_specs=P("d"), out_specs=(P("d"), P("d"), P()))
print(f(x))
