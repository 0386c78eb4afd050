# expects: constraint-on-explicit-mesh at 13
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((8,), ("d",))


@jax.jit
def f(x):
    return lax.with_sharding_constraint(2 * x, NamedSharding(mesh, P("d")))


print(f(jnp.arange(8.0)))
