# expects: check jvp
# says: Your rule for derivatives returns one thing. It returns two, the value and the change; or
#     use the helper, which needs only the change.
"""Returns the change, and not the value that it belongs to."""

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


def square_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return 2 * x * t


ad.primitive_jvps[square_p] = square_jvp
batching.defvectorized(square_p)
