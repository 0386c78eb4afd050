"""What fsdp-step asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxprs_in_params
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Traces

STATIC = ("loss",)
MESH = jax.make_mesh((8,), ("d",))


def spread(x):
    """Lay x out with its rows over the eight devices."""
    return jax.device_put(np.asarray(x, np.float32), NamedSharding(MESH, P("d")))


def mean(w, x):
    """Return the mean of a product."""
    return jnp.mean(x @ w)


def network(w, x):
    """Return the mean square of a small network; no layer is square."""
    return jnp.mean((jnp.tanh(x @ w["in"]) @ w["out"]) ** 2)


EXAMPLES = [
    Call(mean, spread(np.ones(8)), spread(np.ones((8, 8))), 0.0).gives((8.0, [1.0] * 8)),
    Call(mean, spread(np.ones(8)), spread(np.ones((8, 8))), 0.5).gives((8.0, [0.5] * 8)),
]


def weights(rng):
    """Return the weights of the small network."""
    layers = {"in": rng.normal(size=(16, 24)) / 4, "out": rng.normal(size=(24, 3)) / 5}
    return jax.tree.map(spread, layers)


def hidden(rng):
    """A tree of weights, and rows of no pattern."""
    x = rng.normal(size=(24, 16))
    yield Call(network, weights(rng), spread(x), 0.1).when("a dict of weights")
    yield Call(mean, spread(rng.normal(size=16)), spread(x), 1.0).when("two weights on each device")


def call_for_sharding():
    """Return the arguments of a step of the network."""
    rng = np.random.default_rng(0)
    return network, weights(rng), spread(rng.normal(size=(16, 16))), 0.1


def misplaced(fsdp_step):
    """Return which of the results is not where it should be."""
    loss, new = jax.jit(fsdp_step, static_argnames="loss")(*call_for_sharding())
    if len(loss.sharding.device_set) != 8 or not loss.sharding.is_fully_replicated:
        return f"the sharding of the loss is {loss.sharding}"
    for name, leaf in new.items():
        blocks = {shard.data.shape for shard in leaf.addressable_shards}
        if blocks != {(leaf.shape[0] // 8, *leaf.shape[1:])}:
            return f"of the new {name!r}, of shape {leaf.shape}, a device keeps {blocks}"
    return None


def equations(jaxpr):
    """Yield each equation, also those of inner programs."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from equations(inner)


def sums_everything(fsdp_step):
    """Return which sum over the devices is as large as whole weights."""
    loss, *args = call_for_sharding()
    jaxpr = jax.make_jaxpr(lambda *args: fsdp_step(loss, *args))(*args).jaxpr
    names = set()
    for equation in equations(jaxpr):
        name = equation.primitive.name
        names.add(name)
        size = max((out.aval.size for out in equation.outvars), default=0)
        if name.startswith("psum") and size >= 24 * 3:
            return f"a {name} returns {size} numbers on each device"
    return None if "reduce_scatter" in names else "its jaxpr has no reduce_scatter"


PROPERTIES = [
    Custom("sharding", "The weights stay cut, and the loss is on all devices.", misplaced),
    Custom("scattered", "The gradient is summed and cut in one collective.", sums_everything),
    Traces(
        lambda: [Call(mean, spread(np.ones(8)), spread(np.ones((8, 8))), r) for r in (0.1, 0.2)],
        says="It is traced once for two rates.",
    ),
]

RIGHT_TOO = {
    "return jax.shard_map(step, mesh=MESH, out_specs=(P(), P('d')))(w, x)": (
        "The arguments are laid out so already, and shard_map reads this from them."
    ),
}
