# expects: check jvp
# says: Your primitive has no rule for derivatives.
"""Has no derivative."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
square_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
batching.defvectorized(square_p)
