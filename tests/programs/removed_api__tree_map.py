# expects: removed-api at 6
import jax


def scale(p):
    return jax.tree_map(lambda x: 2 * x, p)


scale({"a": 1.0})
