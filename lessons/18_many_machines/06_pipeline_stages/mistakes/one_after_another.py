# expects: check steps
# says: Your answer passes all batches on together, so seven devices wait while one computes. The
#     batches follow one another.
"""Passes all batches at once, in eight steps."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))
NEXT = [(i, i + 1) for i in range(7)]


def pipeline_stages(w, xs):
    def block(w, xs):
        stage = jax.lax.axis_index("d")

        def step(arrived, t):
            y = jnp.tanh(jnp.where(stage == 0, xs, arrived) @ w[0])
            return jax.lax.ppermute(y, "d", NEXT), y

        nothing = jax.lax.pcast(jnp.zeros_like(xs), "d", to="varying")
        _, ys = jax.lax.scan(step, nothing, jnp.arange(8))
        return jax.lax.psum(jnp.where(stage == 7, ys[7], 0), "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
