# check: failed
# grade: failed
# never: failed
"""Gives a pytree of a class of its own that flattens to another array each time."""

import jax
import jax.numpy as jnp

COUNT = [0]


class Answer:
    def __init__(self, value):
        self.value = value


def flatten(answer):
    COUNT[0] += 1
    return ((answer.value if COUNT[0] % 2 else jnp.zeros_like(answer.value)),), None


jax.tree_util.register_pytree_node(Answer, flatten, lambda _, leaves: leaves[0])


def double(x):
    return Answer(3 * x)
