# expects: flatten-not-pair at 13
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, first, second, third):
        self.first, self.second, self.third = first, second, third

    def tree_flatten(self):
        # The arrays.
        return [self.first, self.second, self.third]

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


print(jax.tree.map(jnp.sum, Pair(jnp.ones(2), jnp.ones(3), jnp.ones(4))).second)
