"""What make-step asks for."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

JIT = False

OPTIMISERS = {
    "sgd": lambda: optax.sgd(0.5),
    "momentum": lambda: optax.sgd(0.25, momentum=0.5),
    "adam": lambda: optax.adam(0.1),
    "adamw": lambda: optax.adamw(0.1, weight_decay=0.5),
    "lamb": lambda: optax.lamb(0.1),
    "clipped": lambda: optax.chain(optax.clip_by_global_norm(0.5), optax.adam(0.1)),
    "scheduled": lambda: optax.sgd(optax.linear_schedule(1.0, 0.0, 3)),
}


def square(params, batch):
    """Return the sum of the squared distances of all leaves from the batch."""
    leaves = jax.tree.leaves(params)
    return sum(jnp.sum((leaf.astype(jnp.float32) - batch) ** 2) for leaf in leaves)


def subject(module):
    """Make a step with the named optimiser, and let it take the batches one by one."""

    def train(name, params, batches):
        tx = OPTIMISERS[name]()
        step = module.make_step(square, tx)
        state, losses = tx.init(params), []
        for batch in batches:
            params, state, loss = in_three(step(params, state, batch), params, state)
            losses.append(loss)
        return params, jnp.stack(losses)

    train.make_step = module.make_step
    return train


def in_three(answer, params, state):
    """Return what a step returned; raise TypeError where the parts are not what they should be."""
    if not isinstance(answer, tuple | list) or len(answer) != 3:
        raise TypeError("step returns three things, (params, state, loss)")
    for part, like, name in zip(answer, (params, state), ("params", "state"), strict=False):
        if jax.tree.structure(part) != jax.tree.structure(like):
            raise TypeError(
                f"step returns (params, state, loss), in this order; `{name}` has another structure"
            )
    if jnp.shape(answer[2]) != ():
        raise TypeError("step returns (params, state, loss): the loss is not a number")
    return answer


def f32(*numbers):
    """Make an array of floats."""
    return np.array(numbers, np.float32)


ZEROS = f32(0.0, 0.0)

EXAMPLES = [
    Call("sgd", f32(1.0, 3.0), [ZEROS]).gives(([0.0, 0.0], [10.0])),
    Call("momentum", f32(1.0, 3.0), [ZEROS, ZEROS]).gives(([0.0, 0.0], [10.0, 2.5])),
]


def hidden(rng):
    """Yield a tree with other optimisers, with and without a memory."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    tree = {"w": some(2, 3), "rest": [some(3), (some(),)]}
    batches = [some(3) for _ in range(3)]
    yield Call("adam", tree, batches)
    yield Call("clipped", tree, batches)
    yield Call("scheduled", tree, batches).when("a rate that depends on the step")
    yield Call("adamw", tree, batches).when("an optimiser that reads the parameters")
    yield Call("lamb", tree, batches).when("an optimiser that reads the parameters")


HALF = {"w": jnp.ones(3, jnp.bfloat16), "b": jnp.ones(3, jnp.float32)}
LONG = [f32(*range(i, i + 7)) for i in range(4)]


def starts_again(train):
    """Return how a second run with one step differs, from the state with which the first began."""
    tx = optax.adam(0.1)
    step, runs = train.make_step(square, tx), []
    for _ in range(2):
        params = jnp.asarray(f32(1.0, 3.0))
        state, losses = tx.init(params), []
        for _ in range(3):
            params, state, loss = in_three(step(params, state, jnp.zeros(2)), params, state)
            losses.append(round(float(loss), 3))
        runs.append(losses)
    first, second = runs
    if first == second:
        return None
    return f"the losses are {first}; from the same start, the same step then gives {second}"


PROPERTIES = [
    Types(
        [Call("scheduled", HALF, [np.zeros(3, np.float32)])],
        weak=False,
        says="Each parameter keeps its dtype.",
    ),
    Traces([Call("adam", f32(*range(7)), LONG)], says="Four steps trace it once."),
    Custom("starts-again", "All that a step remembers is in the state it gets.", starts_again),
]
