# expects: check traces-per-name
# says: Your values are right, but the name gets lost when JAX takes an instance apart and builds
#     it again. It belongs to the structure.
"""Flattens to the arrays, and drops the name."""

import jax


@jax.tree_util.register_pytree_node_class
class Linear:
    def __init__(self, w, b, name="linear"):
        self.w, self.b, self.name = w, b, name

    def tree_flatten(self):
        return (self.w, self.b), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


@jax.jit
def predict(model, x):
    return model.w @ x + model.b
