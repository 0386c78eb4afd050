# expects: raised: RuntimeError
# Gives a tree that raises when it is put together.
import jax


@jax.tree_util.register_pytree_node_class
class Odd:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        raise RuntimeError('not together')


def safe_clip_positive(x):
    return Odd(x)
