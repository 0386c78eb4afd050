# expects: tree-at-where at 7
# needs: equinox
import equinox as eqx
import jax

linear = eqx.nn.Linear(2, 3, key=jax.random.key(0))
wider = eqx.tree_at(lambda m: m.out_features, linear, 4)
print(wider)
