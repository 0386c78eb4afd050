# expects: timed_out|raised|crashed: 
# Gives a tree that has itself for a child.
import jax


@jax.tree_util.register_pytree_node_class
class Odd:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (Odd(self.x),), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def safe_clip_positive(x):
    return Odd(x)
