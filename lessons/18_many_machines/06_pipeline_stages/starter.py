"""A layer on each device: batches pass through eight of them."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def pipeline_stages(w, xs):
    """Return tanh(... tanh(xs @ w[0]) ... @ w[7]); layer s is on device s, and xs everywhere."""

    def block(w, xs):
        stage = jax.lax.axis_index("d")
        # TODO: each batch meets one layer. Pass it on.
        ys = jnp.tanh(xs @ w[0])
        return jax.lax.psum(jnp.where(stage == 7, ys, 0), "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
