# expects: incompatible-devices at 12
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

ALL = jax.make_mesh((4,), ("d",))
SOME = jax.make_mesh((2,), ("d",), devices=jax.devices()[:2])


def replicated(x):
    return jax.device_put(x.sum(axis=1), NamedSharding(ALL, P()))


table = jax.device_put(jnp.ones((4, 2)), NamedSharding(SOME, P("d")))
print(jax.jit(replicated)(table))
