"""What decay-matrices-only asks for."""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from jaxtutor.core.vocabulary import Call, Types

JIT = False


def subject(module):
    """Make the optimiser, and do a compiled step for each tree of gradients."""

    def train(rate, decay, params, gradients):
        tx = module.decay_matrices_only(rate, decay)

        @jax.jit
        def step(params, state, grads):
            updates, state = tx.update(grads, state, params)
            return optax.apply_updates(params, updates), state

        state = tx.init(params)
        for grads in gradients:
            params, state = step(params, state, grads)
        return params

    return train


def f32(values):
    """Make an array of floats."""
    return np.array(values, np.float32)


def zeros(params):
    """Make one tree of zeros."""
    return [jax.tree.map(np.zeros_like, params)]


FIRST = {"w": f32([[4, 8]]), "b": f32([4])}
SECOND = {"out": f32([[4]])}

EXAMPLES = [
    Call(0.5, 0.5, FIRST, zeros(FIRST)).gives({"w": [[3.0, 6.0]], "b": [4.0]}),
    Call(1.0, 0.25, SECOND, zeros(SECOND))
    .gives({"out": [[3.0]]})
    .when("a matrix with another name"),
]


def hidden(rng):
    """Yield trees of other structures, with gradients and without."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    net = [{"kernel": some(3, 2), "bias": some(2)}, (some(2, 2), some())]
    steps = [jax.tree.map(lambda p: some(*p.shape), net) for _ in range(3)]
    yield Call(0.1, 0.3, net, steps)
    yield Call(0.1, 0.0, net, steps).when("a decay of 0")
    image = {"conv": some(2, 2, 1, 3), "scale": some(3), "depth": some(2, 1, 3)}
    yield Call(0.2, 0.5, image, zeros(image)).when("a leaf with four axes")
    thin = {"kernel": some(1, 1), "bias": some(5), "w": some(3)}
    yield Call(0.2, 0.5, thin, zeros(thin)).when("a row of one column")
    yield Call(0.2, 0.5, some(2, 2), [some(2, 2)]).when("a single array as the parameters")


HALF = {"w": jnp.ones((2, 2), jnp.bfloat16), "b": jnp.ones(2, jnp.float32)}

PROPERTIES = [
    Types([Call(0.1, 0.1, HALF, [HALF])], weak=False, says="Each parameter keeps its dtype."),
]
