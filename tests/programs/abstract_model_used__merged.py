# expects: abstract-model-used at 23
# needs: flax orbax
import pathlib
import tempfile

import jax.numpy as jnp
import orbax.checkpoint as ocp
from flax import nnx


def build():
    return nnx.Linear(2, 3, rngs=nnx.Rngs(0))


folder = pathlib.Path(tempfile.mkdtemp()) / "net"
with ocp.StandardCheckpointer() as saver:
    saver.save(folder, nnx.split(build())[1])

empty = nnx.eval_shape(build)
graph, shapes = nnx.split(empty)
with ocp.StandardCheckpointer() as loader:
    values = loader.restore(folder, shapes)
net = nnx.merge(graph, shapes)
print(net(jnp.ones((1, 2))).shape)
