"""What contract-sharded asks for."""

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Avoids, Call, Custom, Traces

MESH = jax.make_mesh((8,), ("d",))


def columns(a):
    """Lay a out with its columns cut."""
    return jax.device_put(np.asarray(a, np.float32), NamedSharding(MESH, P(None, "d")))


def rows(b):
    """Lay b out with its rows cut."""
    return jax.device_put(np.asarray(b, np.float32), NamedSharding(MESH, P("d", None)))


ONES = Call(columns(np.ones((8, 8))), rows(np.ones((8, 2))))

EXAMPLES = [
    ONES.gives([[8.0, 8.0]] * 8),
    Call(columns(np.eye(8)), rows(np.ones((8, 2)))).gives([[1.0, 1.0]] * 8),
]


def hidden(rng):
    """Several rows and columns a device, and a single column of b."""
    several = Call(columns(rng.normal(size=(24, 16))), rows(rng.normal(size=(16, 3))))
    yield several.when("several rows and columns a device")
    column = Call(columns(rng.normal(size=(16, 8))), rows(rng.normal(size=(8, 1))))
    yield column.when("a `b` of one column")
    square = Call(columns(rng.normal(size=(8, 8))), rows(rng.normal(size=(8, 8))))
    yield square.when("square matrices")


def wrong_blocks(tp_matmul):
    """Return what each device holds of the product, if not its rows."""
    answer = jax.jit(tp_matmul)(columns(np.ones((16, 8))), rows(np.ones((8, 3))))
    if answer.shape != (16, 3):
        return f"the product of (16, 8) and (8, 3) has shape {answer.shape}"
    shapes = {block.data.shape for block in answer.addressable_shards}
    if shapes != {(2, 3)} or len(answer.sharding.device_set) != 8:
        held = ", ".join(map(str, sorted(shapes)))
        return f"the devices hold {held} of a product of shape (16, 3); expected (2, 3) each"
    return None


PROPERTIES = [
    Custom("rows", "Each device holds its share of the rows.", wrong_blocks),
    Avoids(
        [ONES],
        ("all_gather", "all_gather_invariant", "psum", "psum_invariant"),
        says="No device receives all of a, of b or of the product.",
    ),
    Traces(
        [Call(columns(np.full((8, 8), value)), rows(np.ones((8, 2)))) for value in (1, 2, 3)],
        says="It is traced once for three calls with the same shapes.",
    ),
]
