# expects: check traces-per-name
"""Takes the arrays out, and leaves the name behind."""

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
