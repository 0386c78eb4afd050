# expects: check values
# says: Your loss is right and your gradient eight times too large: it is the sum over the devices.
#     With the checks of `shard_map` on, the backward pass adds it up by itself. Take the mean of
#     the loss first, and the gradient of that mean.
"""Averages the loss, and takes the gradient as it comes."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        value, slope = jax.value_and_grad(loss)(w, x)
        return jax.lax.pmean(value, "d"), slope

    specs = (P(), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P())(w, x)

