"""What donate-params asks for."""

import warnings

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

JIT = False


def subject(module):
    """Make an update, and let it do `steps` steps with copies of the parameters."""

    def train(lr, params, grads, steps):
        update = module.make_update(lr)
        params, grads = jax.tree.map(jnp.copy, (params, grads))
        for _ in range(steps):
            params = update(params, grads)
        return params

    train.make = module.make_update
    return train


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


PARAMS = {"w": f32(1.0, 2.0), "b": np.array(3.0, np.float32)}
GRADS = {"w": f32(2.0, 0.0), "b": np.array(4.0, np.float32)}

EXAMPLES = [
    Call(0.5, PARAMS, GRADS, 1).gives({"w": [0.0, 2.0], "b": 1.0}),
    Call(0.5, PARAMS, GRADS, 3).gives({"w": [-2.0, 2.0], "b": -3.0}),
]


def hidden(rng):
    """A nest of other arrays, with another rate."""

    def some():
        return [(rng.normal(size=(2, 3)).astype(np.float32), None), {"b": f32(*rng.normal(size=3))}]

    yield Call(0.1, some(), some(), 2)


def one_step(train):
    """Do one step; return the trees that went in, and the warnings about donation."""
    params, grads = jax.tree.map(jnp.array, (PARAMS, GRADS))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        jax.block_until_ready(train.make(0.25)(params, grads))
    return params, grads, [str(it.message) for it in heard if "donated" in str(it.message)]


def kept(train):
    """Return which of the old parameters are still there."""
    params, _, _ = one_step(train)
    there = [name for name, leaf in params.items() if not leaf.is_deleted()]
    if not there:
        return None
    return f"after a step {' and '.join(map(repr, there))} of the old parameters still takes memory"


def elsewhere(train):
    """Return which of the new parameters do not lie in the memory of old ones."""
    params, grads = jax.tree.map(jnp.array, (PARAMS, GRADS))
    before = {leaf.unsafe_buffer_pointer() for leaf in jax.tree.leaves(params)}
    new = jax.block_until_ready(train.make(0.25)(params, grads))
    moved = [name for name, leaf in new.items() if leaf.unsafe_buffer_pointer() not in before]
    if not moved:
        return None
    return f"the new {moved[0]!r} took memory of its own, so for a moment there were two"


def taken(train):
    """Return which gradients are gone."""
    _, grads, _ = one_step(train)
    gone = [name for name, leaf in grads.items() if leaf.is_deleted()]
    return f"the gradient of {gone[0]!r} is deleted after a step" if gone else None


def warned(train):
    """Return what jax says about donation."""
    _, _, said = one_step(train)
    return f"jax warns: {said[0].splitlines()[0]}" if said else None


HALF = {"w": jnp.ones(3, jnp.bfloat16), "b": jnp.ones(2, jnp.float32)}
LONG = {"x": np.arange(7, dtype=np.float32)}

PROPERTIES = [
    Types([Call(0.5, HALF, HALF, 1)], weak=False, says="Each parameter keeps its dtype."),
    Traces([Call(0.5, LONG, LONG, 4)], says="It is traced once for four steps."),
    Custom("donated", "After a step the old parameters are deleted.", kept),
    Custom("in-place", "The new parameters lie in the memory of the old ones.", elsewhere),
    Custom("gradients-stay", "The gradients are still there after a step.", taken),
    Custom("no-warning", "Nothing is donated that cannot be used.", warned),
]
