"""What ring-shift asks for."""

import jax
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Traces, Uses

MESH = jax.make_mesh((8,), ("d",))


def spread(x):
    """Lay x out over the eight devices."""
    return jax.device_put(np.asarray(x, np.float32), NamedSharding(MESH, P("d")))


EXAMPLES = [
    Call(spread(np.arange(8))).gives([7.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    Call(spread(np.arange(16))).gives([15.0, *map(float, range(15))]),
]


def hidden(rng):
    """Three elements a device, equal ones and negative ones, and infinity at an edge."""
    yield Call(spread(rng.normal(size=24))).when("three elements a device")
    yield Call(spread(np.repeat([1.0, -1.0], 8))).when("equal neighbours")
    edge = np.where(np.arange(16) == 15, np.inf, 1.0)
    yield Call(spread(edge)).when("infinity at the end")


LONG = spread(np.arange(32))


def messages(jaxpr):
    """Yield the sizes of what is sent to neighbours, inner programs included."""
    for equation in jaxpr.eqns:
        if equation.primitive.name == "ppermute":
            yield equation.invars[0].aval.size
        for value in equation.params.values():
            inner = getattr(value, "jaxpr", value)
            if hasattr(inner, "eqns"):
                yield from messages(inner)


def sends_too_much(halo_left):
    """Return how much each device sends, if more than one number."""
    sent = sum(messages(jax.make_jaxpr(halo_left)(LONG).jaxpr))
    return f"each device sends {sent} numbers of a block of 4" if sent > 1 else None


def wrong_layout(halo_left):
    """Return how the answer lies, if not as x does."""
    answer = jax.jit(halo_left)(LONG)
    shapes = {block.data.shape for block in answer.addressable_shards}
    if shapes != {(4,)} or len(answer.sharding.device_set) != 8:
        return f"the sharding of the answer is {answer.sharding}"
    return None


PROPERTIES = [
    Uses([Call(LONG)], ("ppermute",), says="Neighbours communicate by jax.lax.ppermute."),
    Custom("one-number", "Each device sends one number.", sends_too_much),
    Custom("layout", "Each device holds its block of the answer.", wrong_layout),
    Traces(
        [Call(spread(np.full(8, value))) for value in (1, 2, 3)],
        says="It is traced once for three calls with the same shape.",
    ),
]
