# expects: out-specs-not-replicated at 12
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("d")))


def mean(b):
    return b.mean()


f = jax.shard_map(mean, mesh=mesh, in_specs=P("d"), out_specs=P())
print(jax.jit(f)(x))
