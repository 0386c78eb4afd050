# expects: check values
# says: Your answer is that of the examples of one device. With the checks off, JAX does not
#     notice that the devices disagree.
"""Switches the checks off, and gets what one device has."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        return jax.value_and_grad(loss)(w, x)

    specs = (P(), P("d"))
    run = jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P(), check_vma=False)
    return run(w, x)
