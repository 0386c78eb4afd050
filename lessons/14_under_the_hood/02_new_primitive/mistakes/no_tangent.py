# expects: check jvp
# says: Your primitive has no rule for derivatives.
"""Has no derivative."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import batching, mlir

cube_p = Primitive("my_cube")


def cube(x):
    return cube_p.bind(x)


def compute(x):
    return x * x * x


cube_p.def_impl(compute)
cube_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(cube_p, mlir.lower_fun(compute, multiple_results=False))
batching.defvectorized(cube_p)
