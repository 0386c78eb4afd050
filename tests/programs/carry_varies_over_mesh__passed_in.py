# expects: carry-varies-over-mesh at 17
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.sharding.Mesh(jax.devices()[:1], ("i",))


class Tracer:
    def __init__(self, walls):
        self.walls = walls

    def bounce(self, source, receiver):
        def back(point, wall):
            return point + wall * source, point

        return jax.lax.scan(back, receiver, self.walls, reverse=True)[1]


tracer = Tracer(jnp.eye(3)[:2])
paths = jax.shard_map(tracer.bounce, mesh=mesh, in_specs=(P("i"), P()), out_specs=P(None, "i"))
print(paths(jnp.ones(3), jnp.zeros(3)))
