"""What moe-dispatch asks for."""

import jax
import numpy as np
from jax.extend.core import jaxprs_in_params
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Traces

MESH = jax.make_mesh((8,), ("d",))


def spread(x, dtype=np.float32):
    """Lay x out with its rows over the eight devices."""
    return jax.device_put(np.asarray(x, dtype), NamedSharding(MESH, P("d")))


def tokens(x, choice, w):
    """Return a call with these tokens, choices and experts."""
    return Call(spread(x), spread(choice, np.int32), spread(w))


ONES, NUMBERS = np.ones((8, 1)), np.arange(8).reshape(8, 1, 1)
LAST = [0, 0, 0, 0, 0, 0, 0, 1]

EXAMPLES = [
    tokens(ONES, [0] * 8, NUMBERS).gives([[0.0]] * 8),
    tokens(ONES, LAST, NUMBERS).gives([[0.0]] * 7 + [[float(np.tanh(1.0))]]),
]


def hidden(rng):
    """Choices of no pattern, one expert for all, and an expert without tokens."""
    x, w = rng.normal(size=(40, 3)), rng.normal(size=(8, 3, 3))
    yield tokens(x, rng.integers(0, 8, 40), w)
    yield tokens(x, np.full(40, 5), w).when("all tokens of a device for one expert")
    choice = np.repeat(rng.permutation(8), 5)
    yield tokens(x, choice, w).when("all tokens of a device for one expert")
    yield tokens(x, rng.integers(0, 7, 40), w).when("an expert that nobody chooses")


def equations(jaxpr):
    """Yield each equation, also those of inner programs."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jaxprs_in_params(equation.params):
            yield from equations(inner)


def gathers(moe_dispatch):
    """Return a collective that brings everything to each device, or what is missing."""
    rng = np.random.default_rng(0)
    call = tokens(rng.normal(size=(40, 3)), rng.integers(0, 8, 40), rng.normal(size=(8, 3, 3)))
    names = [it.primitive.name for it in equations(jax.make_jaxpr(moe_dispatch)(*call.args).jaxpr)]
    for name in names:
        if name.startswith(("all_gather", "psum", "ppermute", "reshard")):
            return f"its jaxpr holds {name}"
    there_and_back = names.count("all_to_all")
    return f"its jaxpr holds {there_and_back} all_to_all" if there_and_back < 2 else None


def misplaced(moe_dispatch):
    """Return how the answer is cut, if not as x is."""
    call = tokens(np.ones((16, 2)), np.arange(16) % 8, np.ones((8, 2, 2)))
    y = jax.jit(moe_dispatch)(*call.args)
    if {shard.data.shape for shard in y.addressable_shards} != {(2, 2)}:
        return f"the answer lies as {y.sharding}"
    return None


PROPERTIES = [
    Custom("experts-stay", "Tokens travel by all_to_all, and nothing is gathered.", gathers),
    Custom("sharding", "The answer is cut as x is.", misplaced),
    Traces(
        [tokens(ONES, [e] * 8, NUMBERS) for e in (1, 2)],
        says="It is traced once, whatever the choices are.",
    ),
]

RIGHT_TOO = {
    "send = jnp.where(mine[:, :, None], x, 1)  # each token has its place in every box": (
        "What comes back from a place without a token is never read."
    ),
    "done = jnp.tanh(got @ w[1])": (
        "A device has one matrix, and an index beyond the end is that of the last one."
    ),
    "return jax.shard_map(block, mesh=MESH, out_specs=P('d'))(x, choice, w)": (
        "The arguments are laid out so already, and shard_map reads this from them."
    ),
}
