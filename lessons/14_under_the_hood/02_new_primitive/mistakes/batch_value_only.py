# expects: check vmap
# says: Your rule for the batch returns the result alone. It returns two things: the result, and
#     where the batch lies in it.
"""Does not say where the batch lies."""

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
ad.defjvp(square_p, lambda t, x: 2 * x * t)


def square_batch(args, axes):
    (x,) = args
    return square(x)


batching.primitive_batchers[square_p] = square_batch
