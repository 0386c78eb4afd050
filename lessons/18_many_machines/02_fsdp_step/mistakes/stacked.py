# expects: check values
# says: Your gathered weights have one axis more than the loss expects: the blocks are stacked.
"""Leaves tiled=True out."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        def loss_of_all(w):
            whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d"), w)
            return jax.lax.pmean(loss(whole, x), "d")

        value, slope = jax.value_and_grad(loss_of_all)(w)
        return value, jax.tree.map(lambda w, s: w - rate * s, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
