"""Checks for colours and loss in mixed precision."""

from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types


def subject(module):
    """Return colours and loss."""

    def both(params, waves, places, colours):
        loss = module.loss(params, waves, places, colours)
        return {"colours": module.predict(params, waves, places), "loss": loss}

    both.module = module
    return both


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


DOWN, PLACE = array([[1], [0]]), array([[0.25, 0]])  # sine 1, cosine 0
GREY = [{"w": array([[0] * 3] * 2), "b": array([0] * 3)}]
OFF = [
    {"w": array([[-2], [0]]), "b": array([0])},
    {"w": array([[1, 1, 1]]), "b": array([0, 0, 0])},
]
HALF = [[0.5, 0.5, 0.5]]

EXAMPLES = [
    Call(GREY, DOWN, PLACE, array([[1, 0.5, 0]])).gives({"colours": HALF, "loss": 0.1666667}),
    Call(OFF, DOWN, PLACE, array([[0.5, 0.5, 1]])).gives({"colours": HALF, "loss": 0.0833333}),
]


def some(rng, n, sizes, fastest=1.0):
    """Return a network, waves, n places and their colours."""

    def draw(*shape, scale=1.0):
        return (scale * rng.normal(size=shape)).astype(np.float32)

    params = [{"w": draw(a, b, scale=a**-0.5), "b": draw(b, scale=0.3)} for a, b in pairwise(sizes)]
    waves = draw(2, sizes[0] // 2, scale=fastest)
    places = rng.uniform(-1, 1, (n, 2)).astype(np.float32)
    return params, waves, places, rng.uniform(0, 1, (n, 3)).astype(np.float32)


SIZES = (6, 16, 12, 3)


def hidden(rng):
    """Yield networks of one to three layers, with slow and fast waves."""
    yield Call(*some(rng, 8, SIZES))
    yield Call(*some(rng, 8, SIZES, 30.0)).when("fast waves")
    yield Call(*some(rng, 5, (8, 3))).when("a single layer")


CASE = some(np.random.default_rng(7), 9, SIZES)


def jaxprs(jaxpr):
    """Yield a jaxpr and all within it."""
    yield jaxpr
    for equation in jaxpr.eqns:
        for value in equation.params.values():
            for each in value if isinstance(value, tuple | list) else (value,):
                inner = getattr(each, "jaxpr", each)
                if hasattr(inner, "eqns"):
                    yield from jaxprs(inner)


def equations(both, primitive):
    """List the equations of one primitive in the loss and its gradient."""
    traced = jax.make_jaxpr(jax.value_and_grad(both.module.loss))(*CASE)
    return [e for j in jaxprs(traced.jaxpr) for e in j.eqns if e.primitive.name == primitive]


def products(both):
    """Return the dtypes of a product of the network that is not in bfloat16."""
    for equation in equations(both, "dot_general"):
        (contracted, _), _ = equation.params["dimension_numbers"]
        left, right = (operand.aval for operand in equation.invars)
        if max(left.ndim, right.ndim) < 2 or [left.shape[axis] for axis in contracted] == [2]:
            continue  # a sum of squares, or the angles of the waves
        if left.dtype != jnp.bfloat16 or right.dtype != jnp.bfloat16:
            shapes = f"shapes {left.shape} and {right.shape}"
            return f"a product of {shapes} has operands of {left.dtype} and {right.dtype}"
    return None


ARITHMETIC = "add sub mul div max exp log tanh logistic sin cos integer_pow square reduce_sum"


def rest(both):
    """Return an operation that is not a product and is in bfloat16, or a loss that was rounded."""
    for primitive in ARITHMETIC.split():
        for equation in equations(both, primitive):
            if any(operand.aval.dtype == jnp.bfloat16 for operand in equation.invars):
                return f"loss and gradient have an operation in bfloat16: {primitive}"
    colours = np.full((64, 3), 0.5 + 0.1003, np.float32)
    found = float(both.module.loss(GREY, DOWN, np.zeros((64, 2), np.float32), colours))
    due = float(np.mean((colours.astype(np.float64) - 0.5) ** 2))
    return None if abs(found / due - 1) < 1e-4 else f"a loss is {found:.7f}, not {due:.7f}"


def gradients(both):
    """Return what is wrong with the dtype or the size of the gradient."""
    grads = jax.jit(jax.grad(both.module.loss))(*CASE)
    for leaf in jax.tree.leaves(grads):
        if leaf.dtype != jnp.float32:
            return f"a gradient is {leaf.dtype}"
        if not np.any(leaf):
            return "a gradient is 0 throughout"
    return None


PROPERTIES = [
    Traces([Call(*CASE), Call(CASE[0], 2 * CASE[1], *CASE[2:])]),
    Types([Call(*CASE)], weak=False, says="Colours and loss are float32."),
    Custom("products", "All products of the network are in bfloat16, forwards and back.", products),
    Custom("rest", "Everything but these products is computed in float32.", rest),
    Custom("gradients", "The gradient reaches all weights and biases, in float32.", gradients),
]
