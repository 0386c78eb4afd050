# expects: arguments-swapped at 11
# needs: equinox
import tempfile

import equinox as eqx
import jax

model = eqx.nn.Linear(2, 3, key=jax.random.key(0))
folder = tempfile.mkdtemp()
path = f"{folder}/model.eqx"
eqx.tree_serialise_leaves(model, f"{folder}/model.eqx")
again = eqx.tree_deserialise_leaves(path, model)
print(again.bias)
