# expects: check values
# says: Your answer promises float32 whatever `x` is. The type of the result has the dtype of `x`.
"""Promises float32, whatever comes in."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
square_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, jax.numpy.float32))
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(square_p, lambda t, x: 2 * x * t)
batching.defvectorized(square_p)
