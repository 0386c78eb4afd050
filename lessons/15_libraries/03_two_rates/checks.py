"""What two-rates asks for."""

import jax
import numpy as np
import optax

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def subject(module):
    """Make the optimiser, and do a compiled step for each tree of gradients."""

    def train(head_rate, body_rate, params, gradients):
        tx = module.two_rates(head_rate, body_rate)

        @jax.jit
        def step(params, state, grads):
            updates, state = tx.update(grads, state, params)
            return optax.apply_updates(params, updates), state

        state = tx.init(params)
        for grads in gradients:
            params, state = step(params, state, grads)
        return params

    train.make = module.two_rates
    return train


def ones(n):
    """Make a vector of ones."""
    return np.ones(n, np.float32)


ONES = {"head": ones(2), "body": ones(1), "stem": ones(1)}
NAN = {"stem": np.array([np.nan], np.float32)}

EXAMPLES = [
    Call(0.5, 0.25, ONES, [ONES]).gives({"body": [0.75], "head": [0.5, 0.5], "stem": [1.0]}),
    Call(0.5, 0.25, {"stem": ones(1)}, [NAN])
    .gives({"stem": [1.0]})
    .when("a frozen gradient that is not a number"),
]


def hidden(rng):
    """Yield other trees, parts that are missing, and names that appear further down."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    def like(params):
        return jax.tree.map(lambda p: some(*p.shape), params)

    net = {
        "head": [some(2, 3), (some(3),)],
        "body": {"w": some(2, 2), "b": some(2)},
        "embed": some(4, 2),
        "norm": {"scale": some(2)},
    }
    yield Call(0.1, 0.01, net, [like(net) for _ in range(3)])
    inner = {"tower": {"head": some(2), "body": some(2)}, "head": {"body": some(2)}}
    yield Call(0.1, 0.01, inner, [like(inner)]).when("a frozen part with a `head` inside")
    yield Call(0.1, 0.01, {"head": some(2)}, [{"head": some(2)}]).when("no part but `head`")


def sizes(tree):
    """Return the number of elements in the arrays of a tree that are not single numbers."""
    return sum(leaf.size for leaf in jax.tree.leaves(tree) if np.ndim(leaf))


def moments(train):
    """Compare the size of the state with two averages for each trained number."""
    params = {"head": ones(3), "body": {"w": ones(5)}, "stem": ones(1000), "norm": [ones(10)]}
    state = sizes(train.make(0.1, 0.2).init(params))
    if state == 2 * 8:
        return None
    return f"with 8 numbers to train and 1010 frozen, the state has {state} numbers, not 16"


PROPERTIES = [
    Custom("memory", "The state has two averages for each trained number, and no more.", moments),
]
