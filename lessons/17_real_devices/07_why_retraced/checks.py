"""What why-retraced asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

F32, I32 = np.float32, np.int32


def subject(module):
    """Return the lines as a tuple of texts, which is compared as it is."""

    def call(name):
        lines = module.why_retraced(*PAIRS[name]())
        return {index: str(line) for index, line in enumerate(lines)}

    call.why_retraced = module.why_retraced
    return call


W = {"bias": np.ones(2, F32), "kernel": np.ones((3, 2), F32)}

PAIRS = {
    "a shorter batch": lambda: ((jnp.ones(3), 1.0), (jnp.ones(4), 2.0)),
    "a rate as an array": lambda: (({"rate": 1.0},), ({"rate": jnp.ones(())},)),
    "other values": lambda: ((jnp.ones(3), 1, W), (jnp.zeros(3), 2, W)),
    "a number as an int": lambda: ((W, 1.0), (W, 1)),
    "an array of int32": lambda: ((jnp.ones(3), W), (jnp.ones(3, jnp.int32), W)),
    "a bool": lambda: ((True,), (1,)),
    "numpy with 64 bits": lambda: (
        (jnp.ones(3), jnp.arange(2)),
        (np.ones(3), np.arange(2, dtype=np.int64)),
    ),
    "a number of numpy": lambda: ((1.0,), (np.float64(1.0),)),
    "two changes at once": lambda: (
        ({"a": [jnp.ones(3), 2.0]}, jnp.ones((2, 2))),
        ({"a": [jnp.ones(4, jnp.bfloat16), jnp.int32(2)]}, jnp.ones((2, 3))),
    ),
    "a list as a tuple": lambda: (([jnp.ones(3), 1.0],), ((jnp.ones(4), 1.0),)),
    "None": lambda: ((W, None), (W, jnp.ones(2))),
    "another key": lambda: (({"a": jnp.ones(3)},), ({"b": jnp.ones(3)},)),
    "the keys in another order": lambda: (({"a": 1.0, "b": 2},), ({"b": 2, "a": 1.0},)),
    "one argument more": lambda: ((jnp.ones(3),), (jnp.ones(3), jnp.ones(3))),
    "a weak array": lambda: ((jnp.asarray(2.0),), (2.0,)),
}

REASONS = {
    "other values": "arguments that differ in their values only",
    "numpy with 64 bits": "numbers of 64 bits from numpy",
    "a number of numpy": "a number of numpy in the place of a Python number",
    "two changes at once": "several changes at once",
    "None": "None in the place of an array",
    "the keys in another order": "a dict with its keys in another order",
    "one argument more": "an argument more",
}

EXAMPLES = [
    Call("a shorter batch").gives({0: "[0]: shape"}),
    Call("a rate as an array")
    .gives({0: "[0]['rate']: weak_type"})
    .when("a Python number in the place of an array"),
]


def hidden(rng):
    """Each reason by itself, several at once, and none."""
    for name in list(PAIRS)[2:]:
        yield Call(name).when(REASONS.get(name, ""))


def disagrees(call):
    """Return a pair of calls about which jax.jit is of another opinion."""
    for name, pair in PAIRS.items():
        before, after = pair()
        traces = []
        probe = jax.jit(lambda *args, traces=traces: traces.append(args) or 0)
        probe(*before)
        probe(*after)
        lines = call.why_retraced(before, after)
        if bool(lines) != (len(traces) == 2):
            return f"for {name}, jax.jit traced {len(traces)} times, and the answer is {lines}"
    return None


PROPERTIES = [
    Custom("agrees-with-jit", "The list is empty exactly if jax.jit does not trace.", disagrees),
]

RIGHT_TOO = {
    "for (path, old), (_, new) in zip(new_leaves, old_leaves, strict=True)": (
        "The parts are compared for equality, and both trees have the same paths."
    ),
}
