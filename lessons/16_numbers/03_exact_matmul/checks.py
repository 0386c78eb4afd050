"""What exact-matmul asks for."""

import re

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Types


def f32(values):
    """Make an array of floats."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(f32([[1, 2]]), f32([[3], [4]])).gives([[11.0]]),
    Call(f32([1, 2]), f32([3, 4])).gives(11.0),
]


def halves(rng, *shape):
    """Make an array in bfloat16."""
    return jnp.asarray(rng.normal(size=shape), jnp.bfloat16)


def hidden(rng):
    """Yield batches, vectors and bfloat16."""

    def some(*shape):
        return rng.normal(size=shape).astype(np.float32)

    yield Call(some(3, 4), some(4, 2))
    yield Call(some(2, 3, 4), some(2, 4, 5)).when("batches of matrices")
    yield Call(some(5), some(5, 2)).when("a vector and a matrix")
    yield Call(halves(rng, 2, 500), halves(rng, 500, 3)).when("long sums of bfloat16 products")


HALVES = (jnp.ones((2, 3), jnp.bfloat16), jnp.ones((3, 2), jnp.bfloat16))
A = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


def precisions(function, *arrays):
    """List the precision of each product in the lowered text of a function."""
    text = jax.jit(function).lower(*arrays).as_text()
    lines = [line for line in text.splitlines() if "dot_general" in line]
    return [(re.findall(r"precision = \[([\w, ]+)\]", line) or ["DEFAULT"])[0] for line in lines]


def highest(function):
    """Return the precision of a product that is not the highest."""
    forward = precisions(lambda a, b: function(a, b), A, A.T)
    if len(forward) != 1:
        return f"the lowered text has {len(forward)} products of matrices, not 1"
    slopes = jax.grad(lambda a, b: jnp.sum(function(a, b) ** 2), argnums=(0, 1))
    backward = precisions(slopes, A, A.T)
    for where, found in (("the product", forward), ("the gradient", backward)):
        odd = [each for each in found if each != "HIGHEST, HIGHEST"]
        if odd:
            return f"in {where}, the precision is [{odd[0]}]"
    return None


def sums(function):
    """Return the dtype of a product of bfloat16 arrays that is not summed in float32."""
    text = jax.jit(lambda a, b: function(a, b)).lower(*HALVES).as_text()
    found = re.findall(r"dot_general.*-> tensor<(?:\d+x)*(\w+)>", text)
    odd = [each for each in found if each != "f32"]
    return f"in the lowered text, the product of bfloat16 arrays is {odd[0]}" if odd else None


def elsewhere(function):
    """Return whether other products have another precision after a call."""
    function(A, A.T)
    found = precisions(lambda a, b: a @ b, A, A.T)
    if found == ["DEFAULT, DEFAULT"] or found == ["DEFAULT"]:
        return None
    return f"after a call, another product has the precision [{found[0]}]"


PROPERTIES = [
    Gradient([Call(A, A.T)], argnums=(0, 1)),
    Types([Call(*HALVES), Call(A, A.T)], weak=False, says="The answer is float32."),
    Custom("highest", "Each product is computed with the highest precision.", highest),
    Custom("sums", "Products of bfloat16 numbers are added up in float32.", sums),
    Custom("elsewhere", "Other products keep their precision.", elsewhere),
]
