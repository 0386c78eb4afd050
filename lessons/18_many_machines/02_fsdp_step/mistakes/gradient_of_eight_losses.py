# expects: check values
# says: Your step is eight times too large: the gradient is that of a sum of eight means. The mean
#     over the devices belongs to the loss that is differentiated.
"""Averages the loss after the gradient."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        def own_loss(w):
            whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
            return loss(whole, x)

        value, slope = jax.value_and_grad(own_loss)(w)
        return jax.lax.pmean(value, "d"), jax.tree.map(lambda w, s: w - rate * s, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
