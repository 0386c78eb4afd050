# expects: out-specs-not-replicated at 12
"""Differentiates with respect to the examples."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def dp_grad(loss, w, x):
    def step(w, x):
        return jax.value_and_grad(lambda x: jax.lax.pmean(loss(w, x), "d"))(x)

    specs = (P(), P("d"))
    return jax.shard_map(step, mesh=MESH, in_specs=specs, out_specs=P())(w, x)

