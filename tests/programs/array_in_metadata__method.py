# expects: array-in-metadata at 14
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Affine:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def tree_flatten(self):
        """Return the children and the metadata."""
        return (), (self.w, self.b)

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*aux)

    @jax.jit
    def __call__(self, x):
        return self.w @ x + self.b


Affine(jnp.ones((2, 2)), jnp.ones(2))(jnp.ones(2))
Affine(jnp.ones((2, 2)), jnp.ones(2))(jnp.ones(2))
