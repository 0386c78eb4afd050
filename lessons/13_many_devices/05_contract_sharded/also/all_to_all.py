"""Sends each device its rows of every part, and adds up there."""

import jax
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))


def tp_matmul(a, b):
    def multiply(a, b):
        parts = (a @ b).reshape(8, -1, b.shape[1])
        return jax.lax.all_to_all(parts, "d", split_axis=0, concat_axis=0).sum(axis=0)

    run = jax.shard_map(
        multiply, mesh=MESH, in_specs=(P(None, "d"), P("d", None)), out_specs=P("d", None)
    )
    return run(a, b)
