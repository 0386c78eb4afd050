"""Adds seven empty batches, and passes on around the ring."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))
RING = [(i, (i + 1) % 8) for i in range(8)]


def pipeline_stages(w, xs):
    def block(w, xs):
        stage = jax.lax.axis_index("d")
        entering = jnp.concatenate([xs, jnp.zeros((7, *xs.shape[1:]), xs.dtype)])
        first = (stage == 0).astype(xs.dtype)

        def step(arrived, x):
            y = jnp.tanh((first * x + (1 - first) * arrived) @ w[0])
            return jax.lax.ppermute(y, "d", RING), y

        nothing = jax.lax.pcast(jnp.zeros(xs.shape[1:]), "d", to="varying")
        ys = jax.lax.scan(step, nothing, entering)[1][7:]
        return jax.lax.psum(ys * (stage == 7), "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
