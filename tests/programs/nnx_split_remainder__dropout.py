# expects: nnx-split-remainder at 7
# needs: flax
from flax import nnx


def parameters(model):
    graphdef, params = nnx.split(model, nnx.Param)
    return graphdef, params


parameters(nnx.Dropout(0.5, rngs=nnx.Rngs(0)))
