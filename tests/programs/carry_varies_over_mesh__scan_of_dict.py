# expects: carry-varies-over-mesh at 14
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.sharding.Mesh(jax.devices()[:1], ("i",))


def running(block, weight):
    def step(state, x):
        mean = weight * state["mean"] + (1 - weight) * x
        return {"mean": mean, "seen": state["seen"] + 1}, mean

    start = {"mean": jnp.float32(0), "seen": 0}
    return jax.lax.scan(step, start, block)[1]


mapped = jax.shard_map(running, mesh=mesh, in_specs=(P("i"), P()), out_specs=P("i"))
print(jax.jit(mapped)(jnp.arange(6.0), 0.9))
