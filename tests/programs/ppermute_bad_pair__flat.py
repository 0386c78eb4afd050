# expects: ppermute-bad-pair at 13
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("d")))


def shift(b):
    return lax.ppermute(b, "d", list(range(8)))


print(jax.shard_map(shift, mesh=mesh, in_specs=P("d"), out_specs=P("d"))(x))
