# expects: checkpoint-structure-mismatch at 15
# needs: equinox
import io

import equinox as eqx
import jax


def build(width):
    return eqx.nn.MLP(2, 2, width, 2, key=jax.random.key(0))


file = io.BytesIO()
eqx.tree_serialise_leaves(file, build(16))
model = eqx.tree_deserialise_leaves(file, build(32)) if file.seek(0) == 0 else None
