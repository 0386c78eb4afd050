# expects: check together
# says: Your first derivative is right, and the second is not: the slope in your rule has no
#     derivative itself.
"""Cuts the slope off, so that it has no derivative itself."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

cube_p = Primitive("my_cube")


def cube(x):
    return cube_p.bind(x)


def compute(x):
    return x * x * x


cube_p.def_impl(compute)
cube_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(cube_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(cube_p, lambda t, x: jax.lax.stop_gradient(3 * x * x) * t)
batching.defvectorized(cube_p)
