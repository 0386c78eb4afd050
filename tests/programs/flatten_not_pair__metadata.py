# expects: flatten-not-pair at 10
import jax
import jax.numpy as jnp


class Lens:
    def __init__(self, focus, centre, name):
        self.focus, self.centre, self.name = focus, centre, name

flatten = lambda lens: (lens.focus, lens.centre, lens.name)  # noqa: E731
unflatten = lambda name, parts: Lens(*parts, name)  # noqa: E731
jax.tree_util.register_pytree_node(Lens, flatten, unflatten)


@jax.jit
def shift(lens, by):
    return Lens(lens.focus, lens.centre + by, lens.name)


print(shift(Lens(jnp.array(2.0), jnp.zeros(2), "front"), 1.0).centre)
