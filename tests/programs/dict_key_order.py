# expects: dict-key-order at 7
import jax


params = {"w": 1.0, "b": 2.0}
scaled = [2 * leaf for leaf in jax.tree.leaves(params)]
new = dict(zip(params, scaled))
