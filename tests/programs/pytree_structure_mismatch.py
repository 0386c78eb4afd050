# expects: pytree-structure-mismatch at 7
import jax


p = {"w": 1.0, "b": 2.0}
g = {"w": 1.0}
new = jax.tree.map(lambda a, b: a - b, p, g)
