"""What mlp-block asks for."""

import re

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Types

MESH = jax.make_mesh((2, 4), ("data", "model"))
OTHER = jax.make_mesh((4, 2), ("data", "model"))
SPECS = (P("data", None), P(None, "model"), P("model"), P("model", None), P(None))


def arguments(mesh, *arrays):
    """Lay x, w1, b1, w2 and b2 out on a mesh."""
    return [
        jax.device_put(np.asarray(array, np.float32), NamedSharding(mesh, spec))
        for array, spec in zip(arrays, SPECS, strict=True)
    ]


def ones(b2):
    """Return the arguments of the examples."""
    arrays = np.ones((2, 4)), np.ones((4, 8)), -3 * np.ones(8), np.ones((8, 4)), b2 * np.ones(4)
    return arguments(MESH, *arrays)


def random(rng, mesh, n=4, k=8, h=16):
    """Return arguments of no pattern; x has n rows of k numbers, and the block is h wide."""
    shapes = ((n, k), (k, h), (h,), (h, k), (k,))
    return arguments(mesh, *(rng.normal(size=shape) / 2 for shape in shapes))


EXAMPLES = [Call(*ones(1)), Call(*ones(-1))]


def hidden(rng):
    """Numbers of no pattern, and another mesh."""
    yield Call(*random(rng, MESH))
    yield Call(*random(rng, OTHER, n=8)).when("a mesh of four by two devices")


def misplaced(mlp_block):
    """Return how the answer is cut, if not as x is."""
    for mesh in (MESH, OTHER):
        y = jax.jit(mlp_block)(*random(np.random.default_rng(0), mesh))
        blocks = {shard.data.shape for shard in y.addressable_shards}
        if len(y.sharding.device_set) != 8 or blocks != {(4 // mesh.shape["data"], 8)}:
            return f"on a mesh of {dict(mesh.shape)}, an answer of (4, 8) lies as {y.sharding.spec}"
    return None


def collectives(mlp_block):
    """Return which collectives the compiled program has, if not one all-reduce."""
    args = random(np.random.default_rng(0), MESH)
    text = jax.jit(mlp_block).lower(*args).compile().as_text()
    kinds = "all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute"
    found = re.findall(rf" ({kinds})(?:-start)?\(", text)
    return None if found == ["all-reduce"] else f"the compiled program has {found or 'none'}"


PROPERTIES = [
    Types([Call(*ones(1))], weak=False),
    Custom("sharding", "The answer is cut as x is.", misplaced),
    Custom("one-reduction", "The program has one collective, an all-reduce.", collectives),
]
