# expects: check values
# says: Your devices all take batches from `xs`, so what is passed on to them is never used.
"""Feeds each device from xs."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))
NEXT = [(i, i + 1) for i in range(7)]


def pipeline_stages(w, xs):
    m = len(xs)

    def block(w, xs):
        stage = jax.lax.axis_index("d")

        def step(arrived, t):
            y = jnp.tanh((xs[jnp.minimum(t, m - 1)] + 0 * arrived) @ w[0])
            return jax.lax.ppermute(y, "d", NEXT), y

        nothing = jax.lax.pcast(jnp.zeros_like(xs[0]), "d", to="varying")
        _, ys = jax.lax.scan(step, nothing, jnp.arange(m + 7))
        return jax.lax.psum(jnp.where(stage == 7, ys[7:], 0), "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
