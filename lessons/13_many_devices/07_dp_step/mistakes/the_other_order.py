# expects: check values
# says: Your pair is in the other order. The loss comes first, then the gradient.
"""Returns the gradient first."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        value, slope = jax.value_and_grad(lambda w: jax.lax.pmean(loss(w, x), "d"))(w)
        return slope, value

    specs = (P(), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P())(w, x)
