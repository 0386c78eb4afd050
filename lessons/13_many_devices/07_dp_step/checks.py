"""What dp-step asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from jaxtutor.core.vocabulary import Call, Custom, Traces

STATIC = ("loss",)
MESH = jax.make_mesh((8,), ("d",))


def spread(x):
    """Lay x out with its rows over the eight devices."""
    return jax.device_put(np.asarray(x, np.float32), NamedSharding(MESH, P("d")))


def scaled(w, x):
    """Return the mean square of w times x."""
    return jnp.mean((w * x) ** 2)


def distance(w, x):
    """Return the mean square distance of x from w."""
    return jnp.mean((x - w) ** 2)


def network(w, x):
    """Return the mean square of a small layer."""
    return jnp.mean((jnp.tanh(x @ w["kernel"]) @ w["out"] + w["bias"]) ** 2)


def line(w, x):
    """Return the mean square of a line through the rows."""
    return jnp.mean((x @ w[0] - w[1]) ** 2)


SIXTEEN = spread(np.arange(16))

EXAMPLES = [
    Call(scaled, 1.0, SIXTEEN).gives((77.5, 155.0)),
    Call(distance, 0.0, SIXTEEN).gives((77.5, -15.0)),
]


def weights(rng):
    """Return the weights of the small layer."""
    return {
        "kernel": rng.normal(size=(3, 4)).astype(np.float32),
        "out": rng.normal(size=4).astype(np.float32),
        "bias": np.float32(0.3),
    }


def hidden(rng):
    """A pytree of weights with products in the loss, a list of them, and one row a device."""
    yield Call(network, weights(rng), spread(rng.normal(size=(24, 3)))).when("a dict of weights")
    pair = [rng.normal(size=3).astype(np.float32), np.float32(0.5)]
    yield Call(line, pair, spread(rng.normal(size=(8, 3)))).when("one row a device")


def not_everywhere(dp_grad):
    """Return which of the outputs does not lie whole on every device."""
    step = jax.jit(dp_grad, static_argnames="loss")
    w = weights(np.random.default_rng(0))
    loss, gradient = step(network, w, spread(np.ones((16, 3))))
    leaves = {"the loss": loss} | {f"the gradient of {name}": gradient[name] for name in w}
    for what, leaf in leaves.items():
        if len(leaf.sharding.device_set) != 8 or not leaf.sharding.is_fully_replicated:
            return f"the sharding of {what} is {leaf.sharding}"
    return None


PROPERTIES = [
    Custom("replicated", "Every device has the loss and the gradient.", not_everywhere),
    Traces(
        [Call(scaled, w, SIXTEEN) for w in (1.0, 2.0, 3.0)],
        says="It is traced once for three values of w.",
    ),
]
