# expects: check together
# says: Your first derivative is right, and the second is not: the slope in your rule has no
#     derivative itself.
"""Cuts the slope off, so that it has no derivative itself."""

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
ad.defjvp(square_p, lambda t, x: jax.lax.stop_gradient(2 * x) * t)
batching.defvectorized(square_p)
