# expects: pytree-structure-mismatch at 9
import jax


def sub(a, b):
    return a - b


r = jax.tree.map(sub, (1.0, 2.0), [1.0, 2.0])
