"""What port-to-explicit asks for."""

import jax
import numpy as np
from jax.extend.core import jaxprs_in_params
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Traces

MESH = jax.make_mesh((8,), ("row",))
FOUR = jax.make_mesh((4,), ("row",), devices=jax.devices()[:4])


def cut(x, mesh=MESH):
    """Lay x out by rows."""
    return jax.device_put(np.asarray(x, np.float32), NamedSharding(mesh, P("row", None)))


def rows(*numbers, mesh=MESH):
    """Return row numbers, whole on every device."""
    return jax.device_put(np.array(numbers, np.int32), NamedSharding(mesh, P(None)))


EYE = np.eye(8, dtype=np.float32)

EXAMPLES = [
    Call(cut(2 * EYE), rows(3)).gives((EYE, EYE[[3]])),
    Call(cut(-2 * EYE), rows(0, 7)).gives((EYE, -EYE[[0, 7]])),
]


def hidden(rng):
    """Rows of no pattern, two on each device, and another mesh."""
    x = rng.normal(size=(16, 3))
    yield Call(cut(x), rows(5, 5, 11)).when("two rows on each device")
    yield Call(cut(x, FOUR), rows(2, 14, mesh=FOUR)).when("a mesh of four devices")


def misplaced(similarity):
    """Return how the results are cut, if not as the problem says."""
    x = np.random.default_rng(0).normal(size=(16, 3))
    scores, chosen = jax.jit(similarity)(cut(x), rows(5, 6))
    if {shard.data.shape for shard in scores.addressable_shards} != {(2, 16)}:
        return f"the scores lie as {scores.sharding.spec}"
    if len(chosen.sharding.device_set) != 8 or not chosen.sharding.is_fully_replicated:
        return f"the chosen rows lie as {chosen.sharding}"
    return None


def equations(jaxpr):
    """Yield each equation, also those of inner programs."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from equations(inner)


def on_automatic_axes(value):
    """Return whether the sharding of a value in a jaxpr is for the compiler to choose."""
    mesh = getattr(getattr(value.aval, "sharding", None), "mesh", None)
    return AxisType.Auto in (getattr(mesh, "axis_types", None) or ())


def leaves_hints(similarity):
    """Return a constraint, or a product whose axes are not explicit."""
    jaxpr = jax.make_jaxpr(similarity)(cut(2 * EYE), rows(3)).jaxpr
    for equation in equations(jaxpr):
        if equation.primitive.name == "sharding_constraint":
            return "its jaxpr holds a sharding_constraint"
        for out in equation.outvars:
            # JAX itself reads rows on automatic axes; the product is the program's own.
            if equation.primitive.name == "dot_general" and on_automatic_axes(out):
                return "the product is computed on automatic axes"
    return None


def gathers_more(similarity):
    """Return how often the rows are moved, if more than once."""
    x = np.random.default_rng(0).normal(size=(16, 3))
    moved = [
        equation.outvars[0].aval.shape
        for equation in equations(jax.make_jaxpr(similarity)(cut(x), rows(3)).jaxpr)
        if equation.primitive.name == "reshard" and not on_automatic_axes(equation.outvars[0])
    ]
    large = [shape for shape in moved if np.prod(shape) >= x.size]
    return f"for 16 rows of 3, arrays of shapes {large} are moved" if len(large) > 1 else None


PROPERTIES = [
    Custom("sharding", "The scores are cut by rows, and the chosen rows are whole.", misplaced),
    Custom("no-constraint", "All axes are explicit, and no constraint is left.", leaves_hints),
    Custom("one-gather", "The rows are gathered once.", gathers_more),
    Traces([Call(cut(2 * EYE), rows(i)) for i in (1, 2)], says="It is traced once for two picks."),
]
