# expects: mesh-axis-type-mismatch at 16
import jax
import jax.numpy as jnp


from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((4,), ("d",))


def body(x):
    return x * 2


f = jax.shard_map(body, mesh=mesh, in_specs=P("d"), out_specs=P("d"))
y = f(jnp.ones(8))
