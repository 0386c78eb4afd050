"""What with-rate-in-state asks for."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def clipped(learning_rate):
    """Make Adam behind a clip."""
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(learning_rate))


MAKERS = {
    "sgd": lambda learning_rate: optax.sgd(learning_rate),
    "momentum": lambda learning_rate: optax.sgd(learning_rate, momentum=0.5),
    "adam": lambda learning_rate: optax.adam(learning_rate),
    "clipped": clipped,
}


def subject(module):
    """Make an optimiser with a rate of 9, and set the next rate before each step."""

    def train(name, rates, params, grads):
        tx, set_rate = module.with_rate_in_state(MAKERS[name], 9.0)
        traces = []

        @jax.jit
        def step(params, state, grads):
            traces.append(None)
            updates, state = tx.update(grads, state, params)
            return optax.apply_updates(params, updates), state

        state = tx.init(params)
        for rate in rates:
            state = set_rate(state, rate)
            params, state = step(params, state, grads)
        train.traces = len(traces)
        return params

    train.make = module.with_rate_in_state
    return train


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call("sgd", [0.5, 0.25], f32(1.0, 3.0), f32(1.0, 1.0)).gives([0.25, 2.25]),
    Call("sgd", [1, 0], f32(1.0, 3.0), f32(1.0, 1.0)).gives([0.0, 2.0]).when("a rate of 0"),
]


def hidden(rng):
    """Yield optimisers with a memory, and trees."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    yield Call("adam", [0.1, 0.2, 0.05], some(3), some(3))
    yield Call("clipped", [0.1, 0.5], {"w": some(2, 2)}, {"w": some(2, 2)})
    yield Call("momentum", [0.5, 0.5, 0.25], [some(2)], [some(2)])
    yield Call("adam", [], some(3), some(3)).when("no step at all")


PARAMS = f32(*range(5))


def traces_once(train):
    """Return how often a step is traced over rates of several kinds."""
    train("adam", [0.1, 1, np.float64(0.3), jnp.float32(0.2), np.int64(2)], PARAMS, PARAMS)
    if train.traces == 1:
        return None
    return f"with rates of several types, a compiled step was traced {train.traces} times"


def keeps_the_old(train):
    """Return what set_rate changed in the state that it got."""
    tx, set_rate = train.make(MAKERS["adam"], 0.5)
    _, state = tx.update(PARAMS, tx.init(PARAMS), PARAMS)  # no count is 0 any more
    before = [np.array(leaf) for leaf in jax.tree.leaves(state)]
    new = set_rate(state, 0.25)
    after = [np.array(leaf) for leaf in jax.tree.leaves(state)]
    if all(np.array_equal(one, other) for one, other in zip(before, after, strict=True)):
        changed = [
            not np.array_equal(one, other)
            for one, other in zip(after, jax.tree.leaves(new), strict=True)
        ]
        if sum(changed) == 1:
            return None
        return f"{sum(changed)} arrays of the new state differ from the old ones, not 1"
    return "the state that was passed to set_rate has changed"


def takes_tracers(train):
    """Return what happens to a traced rate."""
    tx, set_rate = train.make(MAKERS["sgd"], 0.5)

    @jax.jit
    def halve(params, rate):
        state = set_rate(tx.init(params), rate / 2)
        return tx.update(params, state, params)[0]

    if np.allclose(halve(PARAMS, 0.5), -0.25 * PARAMS):
        return None
    return "inside a compiled function, a traced rate has no effect"


PROPERTIES = [
    Custom("one-trace", "A compiled step is traced once, whatever the rate.", traces_once),
    Custom("old-state", "Only the rate differs, and the old state does not change.", keeps_the_old),
    Custom("traced-rate", "The rate may be traced.", takes_tracers),
]
