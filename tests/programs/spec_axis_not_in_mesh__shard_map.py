# expects: spec-axis-not-in-mesh at 15
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("branch",))


def fees(block):
    return 0.5 * jnp.abs(block)


charge = jax.shard_map(fees, mesh=mesh, in_specs=P("bank"), out_specs=P("branch"))
print(charge(jax.device_put(jnp.ones(2), NamedSharding(mesh, P("branch")))))
