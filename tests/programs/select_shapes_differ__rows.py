# expects: select-shapes-differ at 8
import jax
import jax.numpy as jnp
from jax import lax


def reset(done, state, start):
    return jax.tree.map(lambda s, z: lax.select(done, z, s), state, start)


state = {"position": jnp.ones((5, 3)), "velocity": jnp.ones((5, 3))}
start = jax.tree.map(jnp.zeros_like, state)
done = jnp.array([True, False, False, True, False])
print(reset(done, state, start)["position"].sum())
