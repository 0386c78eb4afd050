"""What global-mean asks for."""

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
    Call(spread(np.arange(16))).gives(7.5),
    Call(spread([0, 0, 0, 0, 0, 0, 0, 8])).gives(1.0),
]


def hidden(rng):
    """One, three and many elements a device."""
    yield Call(spread(rng.normal(size=24))).when("three elements a device")
    yield Call(spread(rng.normal(size=8))).when("one element a device")
    yield Call(spread(rng.normal(size=800) + 5)).when("a hundred elements a device")


SIXTEEN = spread(np.arange(16))


def not_whole(global_mean):
    """Return where the answer lies, if not on all eight devices."""
    sharding = jax.jit(global_mean)(SIXTEEN).sharding
    if len(sharding.device_set) != 8 or not sharding.is_fully_replicated:
        return f"the sharding of the answer is {sharding}"
    return None


def unchecked(global_mean):
    """Return whether the check of what varies is switched off."""
    for equation in jax.make_jaxpr(global_mean)(SIXTEEN).jaxpr.eqns:
        if equation.primitive.name == "shard_map" and not equation.params["check_vma"]:
            return "check_vma is False, so a result that differs between devices would pass"
    return None


PROPERTIES = [
    Uses([Call(SIXTEEN)], ("shard_map",), says="It says what each device does, in jax.shard_map."),
    Custom("checks-on", "The checks of shard_map are left on.", unchecked),
    Custom("replicated", "Every device has the answer.", not_whole),
    Traces(
        [Call(spread(np.full(16, value))) for value in (1, 2, 3)],
        says="It is traced once for three calls with the same shape.",
    ),
]
