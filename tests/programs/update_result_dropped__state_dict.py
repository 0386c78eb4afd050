# expects: update-result-dropped at 9
# needs: flax
import jax.numpy as jnp
from flax import serialization


def load(variables, saved):
    state = {**serialization.to_state_dict(variables), "encoder": saved}
    serialization.from_state_dict(variables, state)
    return variables


variables = {"encoder": jnp.zeros(3), "head": jnp.zeros(2)}
print(load(variables, jnp.ones(3)))
