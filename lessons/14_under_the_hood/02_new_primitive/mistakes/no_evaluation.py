# expects: check eager
# says: Your primitive works compiled only. Another rule says how to compute it at once.
"""Works compiled only: there is no rule to compute it at once."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(square_p, lambda t, x: 2 * x * t)
batching.defvectorized(square_p)
