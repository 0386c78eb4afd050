"""What shard-rows asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types

JIT = False

EXAMPLES = [
    Call(np.arange(8, dtype=np.float32)).gives([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]),
    Call(np.ones((16, 3), np.float32)).gives([[1.0, 1.0, 1.0]] * 16),
]


def hidden(rng):
    """A cube, and a table of whole numbers."""
    yield Call(rng.normal(size=(8, 2, 3)).astype(np.float32)).when("three axes")
    yield Call(rng.integers(-9, 9, size=(24, 5)).astype(np.int32)).when("whole numbers")


def wrong_blocks(shard_rows):
    """Return what is wrong with what each device holds."""
    x = np.arange(48, dtype=np.float32).reshape(16, 3)
    answer = shard_rows(jax.device_put(x))
    blocks = sorted(answer.addressable_shards, key=lambda block: block.device.id)
    if len(blocks) != 8:
        return f"expected a block on each of the 8 devices, got {len(blocks)}"
    for place, block in enumerate(blocks):
        if block.data.shape != (2, 3):
            return f"device {place} holds {block.data.shape} of {x.shape}; expected (2, 3)"
        if not np.array_equal(block.data, x[2 * place : 2 * place + 2]):
            return f"device {place} holds other rows than {2 * place} and {2 * place + 1}"
    return None


def wrong_name(shard_rows):
    """Return along which axis of the mesh the rows are cut, if not along d alone."""
    sharding = shard_rows(jax.device_put(np.zeros((8, 2), np.float32))).sharding
    spec = getattr(sharding, "spec", None)
    if not spec or spec[0] not in ("d", ("d",)):
        return f"the sharding of the answer is {sharding}; its rows should be cut along d"
    names = sharding.mesh.axis_names
    return None if names == ("d",) else f"the mesh has the axes {', '.join(names)}; expected d"


PROPERTIES = [
    Types([Call(np.ones((8, 2), np.int32))], weak=False, says="Shape and dtype are those of x."),
    Custom("blocks", "Each of the eight devices holds its block of rows.", wrong_blocks),
    Custom("axis-name", "The mesh has one axis, d, and the rows are cut along it.", wrong_name),
]
