# expects: unbound-axis-name at 10
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, PartitionSpec

mesh = Mesh(jax.devices("cpu")[:1], ("rows",))


def normalise(x):
    total = jax.lax.psum(x.sum(), "batch")
    return x / total


run = jax.shard_map(
    normalise, mesh=mesh, in_specs=PartitionSpec("rows"), out_specs=PartitionSpec("rows")
)
print(run(jnp.ones(4)))
