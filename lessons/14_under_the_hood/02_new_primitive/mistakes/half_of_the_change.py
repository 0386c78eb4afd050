# expects: check jvp
# says: Your derivative is half of what it should be. For a change of 1 at 3, the square changes
#     by 6.
"""Forgets the factor 2 of the derivative."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
square_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(square_p, lambda t, x: x * t)
batching.defvectorized(square_p)
