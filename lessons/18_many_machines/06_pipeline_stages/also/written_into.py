"""Carries the answers along, and writes each where it belongs."""

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((8,), ("d",))
NEXT = [(i, i + 1) for i in range(7)]


def pipeline_stages(w, xs):
    m = xs.shape[0]

    def block(w, xs):
        stage = jax.lax.axis_index("d")

        def step(carry, t):
            arrived, out = carry
            x = jax.lax.select(stage == 0, xs[jnp.clip(t, 0, m - 1)] + 0 * arrived, arrived)
            y = jnp.tanh(x @ w[0])
            out = jnp.where((stage == 7) & (t >= 7), out.at[t - 7].set(y), out)
            return (jax.lax.ppermute(y, "d", NEXT), out), None

        empty = jax.lax.pcast((jnp.zeros_like(xs[0]), jnp.zeros_like(xs)), "d", to="varying")
        (_, out), _ = jax.lax.scan(step, empty, jnp.arange(m + 7))
        return jax.lax.psum(out, "d")

    return jax.shard_map(block, mesh=MESH, in_specs=(P("d"), P()), out_specs=P())(w, xs)
