"""What checked-log asks for."""

import re

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces

JIT = False


def subject(module):
    """Return what kind of message there is, however it is worded, and the logarithms."""

    def call(x):
        message, y = module.checked_log(x)
        return {"message": kind_of(message), "y": y}

    call.checked_log = module.checked_log
    return call


def kind_of(message):
    """Return what a message is: None, a string, or the name of another class."""
    if message is None:
        return "None"
    return "a string" if isinstance(message, str) else f"of class {type(message).__name__}"


ONE_E = np.array([1.0, np.e], np.float32)

EXAMPLES = [
    Call(ONE_E).gives({"message": "None", "y": [0.0, 1.0]}),
    Call(np.array([1.0, 0.0], np.float32)).gives({"message": "a string", "y": [0.0, -np.inf]}),
]


def hidden(rng):
    """All right, one negative, everything wrong, a NaN, and a tiny number."""
    good = rng.uniform(0.5, 3, size=5).astype(np.float32)
    yield Call(good)
    yield Call(np.where(np.arange(5) == 3, -good, good)).when("one negative element")
    yield Call(-good).when("nothing but negative elements")
    yield Call(np.array([2.0, np.nan], np.float32)).when("a NaN")
    yield Call(np.array([1e-30, 3.0], np.float32)).when("a tiny positive element")
    yield Call(np.array([3.0, 0.0], np.float32)).when("an element that is 0")


def says_too_little(call):
    """Report what is missing in a message."""
    x = [3.0, 4.0, -2.5, 7.0, -8.5]
    message = call.checked_log(jnp.array(x))[0]
    if not isinstance(message, str):
        return f"for x={x}, the message is {kind_of(message)}, not a string"
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", message)]
    for what, number in (("the element -2.5", -2.5), ("its index 2", 2.0)):
        if number not in numbers:
            return f"for x={x}, the message does not contain {what}: {message}"
    return None


PROPERTIES = [
    Custom(
        "message",
        "The message contains the first element that is not greater than 0, and its index.",
        says_too_little,
    ),
    Traces(
        [Call(np.linspace(a, 3, 7, dtype=np.float32)) for a in (1, -1, 0)],
        probes=("checked_fun",),
        says="It is traced once for three calls of one shape, whatever is wrong with them.",
    ),
]
