# expects: check jvp
# says: Your rule for the derivative returns the slope. It should return the change of the output,
#     which depends on the change of the input.
"""Returns the slope instead of the change of the output."""

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
ad.defjvp(square_p, lambda t, x: 2 * x)
batching.defvectorized(square_p)
