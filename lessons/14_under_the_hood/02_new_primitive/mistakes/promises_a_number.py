# expects: check jit
# says: Your primitive promises a single number, and its result is an array. The promise is
#     checked when the program is compiled.
"""Promises a single number, whatever comes in."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
square_p.def_abstract_eval(lambda x: jax.core.ShapedArray((), x.dtype))
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(square_p, lambda t, x: 2 * x * t)
batching.defvectorized(square_p)
