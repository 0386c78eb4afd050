# expects: check values
# says: Your loss and your gradient are both eight times too large. They are those of a sum of
#     eight means, and the problem asks for the mean.
"""Differentiates the sum of eight means."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        return jax.value_and_grad(lambda w: jax.lax.psum(loss(w, x), "d"))(w)

    specs = (P(), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P())(w, x)

