# expects: nonarray-field-not-static at 13
import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Layer:
    w: jax.Array
    activation: Callable


@jax.jit
def run(layer, x):
    return layer.activation(layer.w @ x)


run(Layer(jnp.ones((2, 2)), jnp.tanh), jnp.ones(2))
