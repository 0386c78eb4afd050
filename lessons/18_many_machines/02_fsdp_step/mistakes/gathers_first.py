# expects: check values
# says: Your gradient is with respect to the whole weights, and a device keeps an eighth. The
#     shapes of the two do not fit, or are broadcast to something else.
"""Gathers before it differentiates, and subtracts as if nothing had been gathered."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
        value, slope = jax.value_and_grad(lambda w: jax.lax.pmean(loss(w, x), "d"))(whole)
        return value, jax.tree.map(lambda w, s: w - rate * s, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
