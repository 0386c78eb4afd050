"""One gradient from eight devices: that of the loss of all examples."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    """Return the loss of all examples, and its gradient with respect to w; x is cut."""
    # TODO: the loss is right, and the gradient is eight times too large.

    def step(w, x):
        return jax.lax.pmean(jax.value_and_grad(loss)(w, x), "d")

    specs = (P(), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P())(w, x)
