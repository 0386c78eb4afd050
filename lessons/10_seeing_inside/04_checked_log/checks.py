"""What checked-log asks for."""

import re

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def subject(module):
    """Return whether there is a message, which may be worded as one likes, and the logarithms."""

    def call(x):
        message, y = module.checked_log(x)
        return {"message": message is not None, "y": y}

    call.checked_log = module.checked_log
    return call


ONE_E = np.array([1.0, np.e], np.float32)

EXAMPLES = [
    Call(ONE_E).gives({"message": False, "y": [0.0, 1.0]}),
    Call(np.array([1.0, 0.0], np.float32)).gives({"message": True, "y": [0.0, -np.inf]}),
]


def hidden(rng):
    """All right, one negative, and everything wrong."""
    good = rng.uniform(0.5, 3, size=5).astype(np.float32)
    yield Call(good)
    yield Call(np.where(np.arange(5) == 3, -good, good))
    yield Call(-good)


def says_too_little(call):
    """Say what is missing in a message."""
    x = [3.0, 4.0, -2.5, 7.0, -8.5]
    message = call.checked_log(jnp.array(x))[0]
    if not isinstance(message, str):
        return f"for x={x}, the message is {type(message).__name__}, not a text"
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", message)]
    for what, number in (("the element -2.5", -2.5), ("its index 2", 2.0)):
        if number not in numbers:
            return f"for x={x}, the message does not hold {what}: {message}"
    return None


PROPERTIES = [
    Custom("message", "The message holds the first bad element and its index.", says_too_little),
    Traces(
        [Call(np.linspace(a, 3, 7, dtype=np.float32)) for a in (1, -1, 0)],
        probes=("checked_fun",),
        says="Three calls with one shape trace it once, whatever is wrong with them.",
    ),
]
