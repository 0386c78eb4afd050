"""What pipeline-stages asks for."""

import jax
import numpy as np
from jax.extend.core import jaxprs_in_params
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, SameSize

MESH = jax.make_mesh((8,), ("d",))


def call(w, xs):
    """Return a call with a layer on each device, and the batches on all of them."""

    def place(x, spec):
        return jax.device_put(np.asarray(x, np.float32), NamedSharding(MESH, spec))

    return Call(place(w, P("d")), place(xs, P()))


EYES = np.ones((8, 1, 1))

EXAMPLES = [
    call(EYES, np.zeros((2, 1, 1))).gives([[[0.0]], [[0.0]]]),
    call(EYES, np.ones((1, 1, 1))).when("one batch"),
]


def hidden(rng):
    """More batches than devices, fewer, and one."""
    w = rng.normal(size=(8, 3, 3))
    yield call(w, rng.normal(size=(11, 2, 3))).when("more batches than devices")
    yield call(w, rng.normal(size=(3, 2, 3))).when("fewer batches than devices")


def random(m):
    """Return a call with m batches."""
    rng = np.random.default_rng(m)
    return call(rng.normal(size=(8, 3, 3)), rng.normal(size=(m, 2, 3)))


def equations(jaxpr, scans=()):
    """Yield each equation, with the lengths of the scans around it."""
    for equation in jaxpr.eqns:
        yield equation, scans
        inside = (*scans, equation.params["length"]) if equation.primitive.name == "scan" else scans
        for inner in jaxprs_in_params(equation.params):
            yield from equations(inner, inside)


def brings_layers(pipeline_stages):
    """Return a collective that moves layers, or a handover that is missing."""
    found = list(equations(jax.make_jaxpr(pipeline_stages)(*random(5).args).jaxpr))
    handovers = [scans for it, scans in found if it.primitive.name == "ppermute"]
    for equation, _ in found:
        name = equation.primitive.name
        if name.startswith(("all_gather", "all_to_all", "reshard")):
            return f"its jaxpr holds {name}"
    if not handovers:
        return "its jaxpr holds no ppermute"
    if not all(handovers):
        return "a ppermute is outside of the scan"
    return None


def other_steps(pipeline_stages):
    """Return how many steps there are, if not m + 7; the last handover may be left out."""
    for m in (1, 5, 9):
        found = equations(jax.make_jaxpr(pipeline_stages)(*random(m).args).jaxpr)
        steps = max((max(scans) for _, scans in found if scans), default=0)
        if not m + 6 <= steps <= m + 8:
            return f"for {m} batches, the scan has {steps} steps"
    return None


def products(pipeline_stages):
    """Return how many rows a device multiplies at once, if more than a batch."""
    found = equations(jax.make_jaxpr(pipeline_stages)(*random(5).args).jaxpr)
    rows = [it.outvars[0].aval.shape for it, _ in found if it.primitive.name == "dot_general"]
    if len(rows) != 1 or rows[0] != (2, 3):
        return f"its jaxpr has {len(rows)} matrix products, of shapes {rows}"
    return None


PROPERTIES = [
    Custom("layers-stay", "Batches move on by ppermute, and layers stay.", brings_layers),
    Custom("steps", "There are m + 7 steps, in one scan.", other_steps),
    Custom("one-layer", "In each step, a device computes one layer for one batch.", products),
    SameSize([random(3), random(11)], says="11 batches need no more equations than 3."),
]

RIGHT_TOO = {
    "x = jnp.where(stage == 0, xs[jnp.minimum(t, (m + 1))], arrived)": (
        "After the last batch, the first device computes what no step keeps, and an index "
        "beyond the end is that of the last batch."
    ),
    "x = jnp.where(stage == 0, xs[jnp.minimum(t, m)], arrived)": (
        "After the last batch, the first device computes what no step keeps, and an index "
        "beyond the end is that of the last batch."
    ),
    "x = jnp.where(stage == 0, xs[jnp.minimum(t, m - 0)], arrived)": (
        "After the last batch, the first device computes what no step keeps, and an index "
        "beyond the end is that of the last batch."
    ),
    "y = jnp.tanh(x @ w[1])": (
        "A device has one matrix, and an index beyond the end is that of the last one."
    ),
    'nothing = jax.lax.pcast(jnp.ones_like(xs[0]), "d", to="varying")': (
        "What a device computes before the first batch arrives is not kept."
    ),
    'nothing = jax.lax.pcast(xs[0], "d", to="varying")': (
        "What a device computes before the first batch arrives is not kept."
    ),
    'nothing = jax.lax.pcast(jnp.zeros_like(xs[1]), "d", to="varying")': (
        "What a device computes before the first batch arrives is not kept."
    ),
    "return jax.shard_map(block, mesh=MESH, out_specs=P())(w, xs)": (
        "The arguments are laid out so already, and shard_map reads this from them."
    ),
}
