# expects: carry-varies-over-mesh at 22
"""Begins with zeros that do not vary."""

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

        _, ys = jax.lax.scan(step, jnp.zeros_like(xs[0]), jnp.arange(m + 7))
        return jax.lax.psum(jnp.where(stage == 7, ys[7:], 0), "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
