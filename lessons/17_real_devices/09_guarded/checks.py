"""What guarded asks for."""

import re

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import checkify
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))


def spread(x):
    """Lay x out with its rows over the eight devices."""
    return jax.device_put(np.asarray(x, np.float32), NamedSharding(MESH, P("d")))


def plus_one(x):
    """Do what cannot go wrong."""
    return x + 1


def checked(x):
    """Return the roots of a block that must not be negative."""
    checkify.check(jnp.all(x >= 0), "the smallest is {m}", m=x.min())
    return jnp.sqrt(jnp.abs(x))


def inverse(x):
    """Divide by what may be zero."""
    return 1 / x


def far(x):
    """Read a row that no block has."""
    return x + x[jnp.full(1, 99)]


def subject(module):
    """Return the parts of the message, and the answer."""

    def call(f, x):
        message, y = module.guarded(f)(x)
        return {"message": parts_of(message), "y": y}

    call.guarded = module.guarded
    return call


def parts_of(message):
    """Return what a message says, however it is worded around it."""
    if message is None:
        return "None"
    if not isinstance(message, str):
        return f"of class {type(message).__name__}"
    device = re.search(r"at mapped index (\d+)", message)
    kinds = ("nan generated", "division by zero", "the smallest is", "out-of-bounds")
    kind = next((kind for kind in kinds if kind in message), message)
    return f"{kind} on device {device[1] if device else 'unknown'}"


EIGHT = np.arange(8, dtype=np.float32)

EXAMPLES = [
    Call(plus_one, spread(EIGHT)).gives({"message": "None", "y": EIGHT + 1}),
    Call(jnp.log, spread(EIGHT - 3)).gives(
        {
            "message": "nan generated on device 0",
            "y": [np.nan, np.nan, np.nan, -np.inf, *np.log(EIGHT[1:5]).tolist()],
        }
    ),
]


def hidden(rng):
    """A check of f's own, on one device and on two, a division, and an index."""
    good = rng.uniform(1, 2, size=(16, 3)).astype(np.float32)
    bad, two, zero = good.copy(), good.copy(), good.copy()
    bad[11, 1] = -4
    two[[7, 14], 0] = -1
    zero[15] = 0
    yield Call(checked, spread(good))
    yield Call(checked, spread(bad)).when("a check that fails on device 5")
    yield Call(checked, spread(two)).when("checks that fail on two devices")
    yield Call(jnp.sqrt, spread(bad)).when("a NaN that no check of f's own looks for")
    yield Call(inverse, spread(zero)).when("a division by zero")
    yield Call(far, spread(good)).when("an index out of range")


def misplaced(call):
    """Return where the answer is, if it is not cut as x is."""
    for x in (EIGHT, EIGHT - 3):
        y = call.guarded(jnp.log)(spread(x))[1]
        if not isinstance(y, jax.Array):
            return f"the answer is of class {type(y).__name__}"
        if len(y.sharding.device_set) != 8 or y.sharding.is_fully_replicated:
            return f"the sharding of the answer is {y.sharding}"
    return None


def traces_again(call):
    """Return how often f is traced for four calls of one shape, if not as often as for one."""
    runs = []

    def probe(x):
        runs.append(x.shape)
        checkify.check(jnp.all(x < 100), "too large")
        return jnp.sqrt(x)

    g = call.guarded(probe)
    g(spread(EIGHT))
    first = len(runs)
    for x in (EIGHT + 1, EIGHT - 1, EIGHT + 99):
        g(spread(x))
    if len(runs) > first:
        return f"three more calls of one shape traced f {len(runs) - first} times more"
    return None


PROPERTIES = [
    Custom("sharding", "The answer stays on the eight devices.", misplaced),
    Custom("traced-once", "f is traced once for calls with the same shape.", traces_again),
]
