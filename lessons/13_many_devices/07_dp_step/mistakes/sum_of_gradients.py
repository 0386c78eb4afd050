# expects: check values
# says: Your gradient is far too large: the sum over the devices is taken twice, once in the
#     backward pass and once after it.
"""Sums gradients that are summed already."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        value, slope = jax.value_and_grad(loss)(w, x)
        return jax.lax.pmean(value, "d"), jax.lax.psum(slope, "d")

    specs = (P(), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P())(w, x)

