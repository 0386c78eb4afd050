# expects: lax-shapes-differ at 8
import jax
import jax.numpy as jnp
from jax import lax


def reset(done, fresh, state):
    return jax.tree.map(lambda a, b: lax.select(done, a, b), fresh, state)


def step(state, action):
    state = {"cell": state["cell"] + action, "time": state["time"] + 1}
    done = state["time"] > 2
    fresh = jax.tree.map(jnp.zeros_like, state)
    return reset(done, fresh, state)


state = {"cell": jnp.ones((4, 2)), "time": jnp.array([0, 2, 1, 2])}
print(jax.jit(step)(state, jnp.ones((4, 2))))
