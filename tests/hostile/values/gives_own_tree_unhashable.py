# expects: failed: expected
# Gives a tree whose structure has no hash.
import jax


@jax.tree_util.register_pytree_node_class
class Odd:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), [1, {}]

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def safe_clip_positive(x):
    return Odd(x)
