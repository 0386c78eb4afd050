"""Differentiates with respect to whole weights, and scatters by hand."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        whole = jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, "d", tiled=True), w)
        value, slope = jax.value_and_grad(loss)(whole, x)

        def mine(w, s):
            return w - rate * jax.lax.psum_scatter(s, "d", tiled=True) / jax.lax.axis_size("d")

        return jax.lax.pmean(value, "d"), jax.tree.map(mine, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
