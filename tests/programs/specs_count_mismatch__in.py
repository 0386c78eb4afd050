# expects: specs-count-mismatch at 16
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))
x = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, P("d")))


def step(w, b):
    return w - lax.pmean(b.mean(), "d")


f = jax.shard_map(step, mesh=mesh, in_specs=(P("d"),), out_specs=P())
print(f(1.0, x))
