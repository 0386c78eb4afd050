"""What reshard-output asks for."""

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

MESH = jax.make_mesh((8,), ("d",))


def spread(x, mesh=MESH, rows="d"):
    """Lay x out with its rows cut along an axis of a mesh."""
    return jax.device_put(np.asarray(x, np.float32), NamedSharding(mesh, P(rows, None)))


EXAMPLES = [
    Call(spread(np.ones((8, 2)))).gives([2.0] * 8),
    Call(spread(np.arange(16).reshape(8, 2))).gives([1.0, 5.0, 9.0, 13.0, 17.0, 21.0, 25.0, 29.0]),
]


def hidden(rng):
    """Two rows a device, a single column, and none."""
    yield Call(spread(rng.normal(size=(16, 3))))
    yield Call(spread(rng.normal(size=(8, 1)))).when("a single column")
    yield Call(spread(np.zeros((8, 0)))).when("rows without elements")


UNMOVED = ": the program holds a sharding_constraint, which does nothing on this kind of mesh"


def wrong_layout(sum_rows):
    """Return where the sums lie, if not whole on all devices of the mesh they came from."""
    table = jax.make_mesh((2, 4), ("host", "chip"))
    few = jax.make_mesh((4,), ("part",), devices=jax.devices()[:4])
    for mesh, rows in ((MESH, "d"), (table, ("host", "chip")), (table, "chip"), (few, "part")):
        x = spread(np.ones((8, 2)), mesh, rows)
        answer = jax.jit(sum_rows)(x)
        what = f"with x cut as {x.sharding.spec} on a mesh of {dict(mesh.shape)}"
        if len(answer.sharding.device_set) != mesh.size:
            return f"{what}, the sums lie on {len(answer.sharding.device_set)} devices"
        if not answer.sharding.is_fully_replicated:
            why = UNMOVED if "sharding_constraint" in str(jax.make_jaxpr(sum_rows)(x)) else ""
            return f"{what}, the sums are cut as {answer.sharding.spec}{why}"
    return None


PROPERTIES = [
    Custom("replicated", "Every device of x's mesh holds all sums.", wrong_layout),
    Types([Call(spread(np.ones((8, 2))))], says="The type of the answer says that it is not cut."),
    Traces(
        [Call(spread(np.full((8, 2), value))) for value in (1, 2, 3)],
        says="It is traced once for three calls with the same shape.",
    ),
]
