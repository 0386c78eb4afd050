# expects: check values
# says: Your answer adds up what all devices computed. Only the last one has the results.
"""Sums over all devices."""

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
            y = jnp.tanh(jnp.where(stage == 0, xs[jnp.minimum(t, m - 1)], arrived) @ w[0])
            return jax.lax.ppermute(y, "d", NEXT), y

        nothing = jax.lax.pcast(jnp.zeros_like(xs[0]), "d", to="varying")
        _, ys = jax.lax.scan(step, nothing, jnp.arange(m + 7))
        return jax.lax.psum(ys[7:], "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
