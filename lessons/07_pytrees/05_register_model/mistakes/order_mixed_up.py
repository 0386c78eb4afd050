# expects: shape-mismatch-matmul at 22
"""Flattens the arrays in one order, and builds from another."""

import jax


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, name):
        self.w, self.b, self.name = w, b, name

    def tree_flatten(self):
        return (self.b, self.w), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        return cls(*children, name)


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
