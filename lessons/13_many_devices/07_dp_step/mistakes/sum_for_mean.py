# expects: check values
# says: Your loss is right and your gradient eight times too large: it is the sum over the devices.
#     With the checks of `shard_map` on, the backward pass adds it up by itself. Take the mean of
#     the loss first, and the gradient of that mean.
"""Adds the gradients up where the checks of shard_map are off."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        value, slope = jax.value_and_grad(loss)(w, x)
        return jax.lax.pmean(value, "d"), jax.lax.psum(slope, "d")

    specs = (P(), P("d"))
    run = jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P(), check_vma=False)
    return run(w, x)
