# expects: constructor-runs-on-unflatten at 25
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass
class Pytree:
    x: jax.Array
    values: jax.Array
    axis: int

    def __post_init__(self):
        assert np.shape(self.values)[self.axis] == np.size(self.x)


def pytree_flatten(p):
    return [p.x, p.values], p.axis


def pytree_unflatten(axis, children):
    x, values = children
    return Pytree(x, values, axis)


jax.tree_util.register_pytree_node(Pytree, pytree_flatten, pytree_unflatten)

p = Pytree(x=jnp.arange(4), values=jnp.ones((3, 4)), axis=1)
compiled = jax.jit(lambda p: p.values.sum(p.axis)).lower(p).compile()
compiled(p)
