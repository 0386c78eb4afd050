"""What global-batch asks for."""

import operator

import jax
import numpy as np
from jax.sharding import Mesh

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

MESHES = {
    "eight": lambda: jax.make_mesh((8,), ("data",)),
    "four by two": lambda: jax.make_mesh((4, 2), ("data", "model")),
    "two by four": lambda: jax.make_mesh((2, 4), ("data", "model")),
    "model first": lambda: jax.make_mesh((2, 4), ("model", "data")),
    "one row": lambda: jax.make_mesh((1, 8), ("data", "model")),
    "backwards": lambda: Mesh(np.array(jax.devices()[::-1]), ("data",)),
}


def make_load(shape, asked=None):
    """Return a function that reads rows of numbers, and records which."""
    whole = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)

    def load(start, stop):
        if asked is not None:
            asked.append((start, stop))
        return whole[operator.index(start) : operator.index(stop)]

    return load


def subject(module):
    """Return the array, and which row each device begins with."""

    def call(shape, name):
        batch = module.global_batch(make_load(shape), shape, MESHES[name]())
        first = {
            str(shard.device.id): np.asarray(shard.data).ravel()[:1]
            for shard in batch.addressable_shards
        }
        return {"batch": np.asarray(batch), "first on each device": first}

    call.global_batch = module.global_batch
    return call


def expected(n, rows):
    """Return what the examples give: eight devices, and the row with which each begins."""
    first = {str(device): [float(row)] for device, row in enumerate(rows)}
    return {"batch": [float(i) for i in range(n)], "first on each device": first}


EXAMPLES = [
    Call((16,), "eight").gives(expected(16, range(0, 16, 2))),
    Call((16,), "four by two").gives(expected(16, [0, 0, 4, 4, 8, 8, 12, 12])),
]


def hidden(rng):
    """Other meshes, more axes, and an axis that is not cut."""
    yield Call((8, 3), "two by four").when("rows of three numbers")
    yield Call((24, 2, 2), "model first").when("a mesh whose last axis is data")
    yield Call((6, 2), "one row").when("a mesh with one row of devices")
    yield Call((16, 2), "backwards").when("a mesh of the devices in reverse order")


def wrong_loads(call):
    """Return which call of load asks for too much, or what is loaded twice or not at all."""
    for name, (n, parts) in {
        "eight": (32, 8),
        "four by two": (32, 4),
        "two by four": (32, 2),
        "model first": (32, 4),
        "one row": (4, 1),
    }.items():
        calls = []
        call.global_batch(make_load((n, 2), calls), (n, 2), MESHES[name]())
        rows = [row for start, stop in calls for row in range(start, stop)]
        where = f"{n} rows on a mesh of {dict(MESHES[name]().shape)}"
        longest = max((stop - start for start, stop in calls), default=0)
        if longest > n // parts:
            return f"for {where}, one call loads {longest} rows; a device keeps {n // parts}"
        if len(rows) != len(set(rows)):
            return f"for {where}, {len(rows)} rows were loaded; there are {n}"
    return None


def misplaced(call):
    """Return the sharding of the answer, if its rows are not cut over data alone."""
    for name, parts in {"eight": 8, "four by two": 4, "model first": 4, "one row": 1}.items():
        batch = call.global_batch(make_load((16, 8)), (16, 8), MESHES[name]())
        shapes = {shard.data.shape for shard in batch.addressable_shards}
        if len(batch.sharding.device_set) != 8 or shapes != {(16 // parts, 8)}:
            return f"on the mesh {dict(MESHES[name]().shape)}, devices keep blocks of {shapes}"
    return None


PROPERTIES = [
    Custom("sharding", "The rows are cut over data, and nothing else is.", misplaced),
    Custom(
        "loads", "Each row is loaded once, and no call asks for more than a block.", wrong_loads
    ),
]
