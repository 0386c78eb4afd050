# expects: check layers-stay
# says: Your answer is right, and every device has all layers for it. The batches move, and the
#     layers stay.
"""Gathers the layers, and scans over them."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def pipeline_stages(w, xs):
    def block(w, xs):
        layers = jax.lax.all_gather(w, "d", tiled=True)
        xs = jax.lax.pcast(xs, "d", to="varying")
        ys, _ = jax.lax.scan(lambda xs, w: (jnp.tanh(xs @ w), None), xs, layers)
        return jax.lax.pmean(ys, "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
