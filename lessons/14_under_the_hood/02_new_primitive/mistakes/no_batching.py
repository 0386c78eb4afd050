# expects: check vmap
# says: Your primitive has no rule for a batch, so `jax.vmap` cannot handle it.
"""Has no rule for a batch."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
square_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(square_p, lambda t, x: 2 * x * t)
