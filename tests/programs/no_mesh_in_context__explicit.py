# expects: no-mesh-in-context at 7
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

def similarity(x):
    everything = jax.sharding.reshard(x, P(None, None))
    return x @ everything.T


mesh = jax.make_mesh((1,), ("row",), axis_types=(AxisType.Explicit,))
similarity(jax.device_put(jnp.ones((8, 4)), NamedSharding(mesh, P("row", None))))
