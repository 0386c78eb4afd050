# expects: failed: expected
# Gives a tree whose structure cannot be written and is equal to all.
import jax.numpy as jnp
import jax


class Aux:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __repr__(self):
        raise RuntimeError('no name')


@jax.tree_util.register_pytree_node_class
class Odd:
    def __init__(self, x):
        self.x = x

    def tree_flatten(self):
        return (self.x,), Aux()

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def safe_clip_positive(x):
    return Odd(jnp.where(x < 0, 0, x))
