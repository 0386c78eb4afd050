# expects: check vmap-columns
# says: Your answer is right for a batch along axis 0 only. The rule is told where the batch lies,
#     and says where it lies in the result.
"""Says that the batch lies along axis 0, wherever it was."""

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
    return square(x), 0


batching.primitive_batchers[square_p] = square_batch
