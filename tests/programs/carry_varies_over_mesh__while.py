# expects: carry-varies-over-mesh at 14
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.sharding.Mesh(jax.devices()[:1], ("i",))


def settle(block):
    def step(state):
        count, level = state
        return count + 1, 0.5 * (level + block)

    _, level = jax.lax.while_loop(lambda state: state[0] < 5, step, (0, jnp.zeros(4)))
    return level


print(jax.shard_map(settle, mesh=mesh, in_specs=P("i"), out_specs=P("i"))(jnp.ones(4)))
