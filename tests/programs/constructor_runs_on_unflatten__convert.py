# expects: constructor-runs-on-unflatten at 17
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Series:
    def __init__(self, values, step):
        self.values = jnp.asarray(values)
        self.step = step

    def tree_flatten(self):
        return (self.values,), self.step

    @classmethod
    def tree_unflatten(cls, step, children):
        return cls(children[0], step)


def slope(series):
    return jnp.gradient(series.values, series.step)


print(jax.jit(slope)(Series([1.0, 2.0, 4.0], 0.5)))
print(jax.tree.map(lambda _: object(), Series([1.0], 0.1)))
