# expects: check jvp
# says: Your derivative is a third of what it should be. For a change of 1 at 3, the cube changes
#     by 27.
"""Forgets the factor 3 of the derivative."""

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
ad.defjvp(cube_p, lambda t, x: x * x * t)
batching.defvectorized(cube_p)
