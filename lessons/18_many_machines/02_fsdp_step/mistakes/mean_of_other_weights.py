# expects: check values
# says: Your step is the mean over gradients of different weights: each device has its own eighth,
#     and these are not to be averaged.
"""Averages the gradients of different weights."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        def loss_of_all(w):
            whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
            return jax.lax.pmean(loss(whole, x), "d")

        value, slope = jax.value_and_grad(loss_of_all)(w)
        slope = jax.lax.pmean(slope, "d")
        return value, jax.tree.map(lambda w, s: w - rate * s, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
