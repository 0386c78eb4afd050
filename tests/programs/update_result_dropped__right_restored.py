# expects: nothing
# needs: flax
import jax.numpy as jnp
from flax import serialization, traverse_util


def load(variables, saved):
    flat = traverse_util.flatten_dict(serialization.to_state_dict(variables), sep="/")
    flat["encoder/w"] = saved
    state = traverse_util.unflatten_dict(flat, sep="/")
    return serialization.from_state_dict(variables, state)


variables = {"encoder": {"w": jnp.zeros(3)}, "head": jnp.zeros(2)}
print(load(variables, jnp.ones(3)))
