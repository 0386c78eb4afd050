"""What adam asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

JIT = False


def subject(module):
    """Train with one compiled update: one step for each tree of gradients."""

    def train(params, gradients, lr):
        update = jax.jit(module.adam_update)
        state = module.adam_init(params)
        for grads in gradients:
            params, state = in_two(update(grads, state, params, lr))
        return params

    train.init, train.update = module.adam_init, module.adam_update
    return train


def in_two(answer):
    """Return parameters and state; raise TypeError where the answer is not a pair."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("adam_update returns two things, (params, state)")
    return answer


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


PARAMS = {"w": f32(1.0, 2.0), "b": np.array(3.0, np.float32)}
GRADS = {"w": f32(4.0, -0.5), "b": np.array(0.0, np.float32)}

EXAMPLES = [
    Call(PARAMS, [GRADS], 0.1).gives({"w": [0.9, 2.1], "b": 3.0}),
    Call(f32(1.0), [f32(1.0), f32(-1.0)], 0.1).gives([0.905263]),
]


def hidden(rng):
    """Five steps down a nest, with gradients of all sizes, with another rate, and from zeros."""
    scales = {"layers": [(1.0, 1e-4), (10.0, 1e-3)]}

    def some():
        return jax.tree.map(lambda s: (s * rng.normal(size=3)).astype(np.float32), scales)

    yield Call(some(), [some() for _ in range(5)], 0.1)
    yield Call(some(), [some() for _ in range(5)], 0.01)
    zero = f32(0.0, 2.0)
    yield Call(zero, [zero, -zero, zero], 0.1).when("a gradient of 0 and one that changes sign")


def twenty_steps():
    """Make a training run of twenty steps, of a shape that no example has."""
    x = np.ones((2, 2), np.float32)
    return [Call({"x": x}, [{"x": x * i} for i in range(20)], 0.1)]


def state_is_wrong(train):
    """Return what is wrong with the state after three compiled steps."""
    params = jax.tree.map(jnp.asarray, PARAMS)
    update, state = jax.jit(train.update), train.init(params)
    before, counts = jax.tree.structure(state), [counts_in(state)]
    for _ in range(3):
        params, state = in_two(update(params, state, params, 0.1))
        counts.append(counts_in(state))
    if jax.tree.structure(state) != before:
        return f"it is {before} before the first step, and {jax.tree.structure(state)} after"
    if not counts[-1]:
        return "it holds no int32 without axes, so nothing counts the steps"
    columns = [list(column) for column in zip(*counts, strict=False)]
    if any(column == list(range(column[0], column[0] + 4)) for column in columns):
        return None
    return f"before and after three steps its int32 is {columns[0] if columns else counts[-1]}"


def counts_in(state):
    """Return the whole numbers without axes in a state."""
    leaves = jax.tree.leaves(state)
    return [int(it) for it in leaves if jnp.ndim(it) == 0 and jnp.result_type(it) == jnp.int32]


BFLOAT = {"w": jnp.ones(2, jnp.bfloat16), "b": jnp.ones((), jnp.float32)}

PROPERTIES = [
    Types(
        [Call(BFLOAT, [BFLOAT, BFLOAT], 0.1)],
        weak=False,
        says="Each parameter keeps its dtype: bfloat16 stays bfloat16, beside a float32.",
    ),
    Traces(twenty_steps, says="It is traced once for twenty steps."),
    Custom(
        "state",
        "The state keeps its structure, and an int32 in it goes up by 1 in each step.",
        state_is_wrong,
    ),
]
