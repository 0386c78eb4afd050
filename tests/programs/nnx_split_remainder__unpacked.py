# expects: nnx-split-remainder at 9
# needs: flax
from flax import nnx

nets = {"norm": nnx.BatchNorm(3, rngs=nnx.Rngs(0)), "head": nnx.Linear(3, 2, rngs=nnx.Rngs(1))}


def parts(name):
    graph, weights, rest = nnx.split(nets[name])
    return graph, weights, rest


parts("norm")
