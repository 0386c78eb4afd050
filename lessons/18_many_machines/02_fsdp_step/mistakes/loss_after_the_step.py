# expects: check values
# says: Your loss belongs to the new weights. The problem asks for the loss of the weights that
#     came in.
"""Computes the loss again after the step."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        def loss_of_all(w):
            whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
            return jax.lax.pmean(loss(whole, x), "d")

        slope = jax.grad(loss_of_all)(w)
        new = jax.tree.map(lambda w, s: w - rate * s, w, slope)
        return loss_of_all(new), new

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
