# expects: shape-mismatch-matmul at 12
"""Forgets to gather."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def fsdp_step(loss, w, x, rate):
    def step(w, x):
        value, slope = jax.value_and_grad(lambda w: jax.lax.pmean(loss(w, x), "d"))(w)
        return value, jax.tree.map(lambda w, s: w - rate * s, w, slope)

    specs = (P("d"), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=(P(), P("d")))(w, x)
