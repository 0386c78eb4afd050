# expects: specs-count-mismatch at 13
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("rows",))
whole, rows = NamedSharding(mesh, P()), NamedSharding(mesh, P("rows"))


class Model:
    def __init__(self):
        self.loss = jax.jit(self.mean_loss, in_shardings=(whole, rows))

    def mean_loss(self, w, x, y):
        return jnp.mean((x @ w - y) ** 2)


print(Model().loss(jnp.ones(2), jnp.ones((4, 2)), jnp.ones(4)))
