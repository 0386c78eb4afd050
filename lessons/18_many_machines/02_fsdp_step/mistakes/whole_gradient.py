# expects: check scattered
# says: Your step is right, and each device sums the gradient of all weights to keep an eighth of
#     it. The memory that was saved is needed again.
"""Sums the gradient of all weights, and cuts its own eighth out of it."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
        value, slope = jax.value_and_grad(loss)(whole, x)
        slope = jax.lax.pmean(slope, "d")

        def mine(w, s):
            start = jax.lax.axis_index("d") * len(w)
            return w - rate * jax.lax.dynamic_slice_in_dim(s, start, len(w))

        return jax.lax.pmean(value, "d"), jax.tree.map(mine, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
