# expects: check jvp
# says: Your rule multiplies the change of the input by a wrong slope: what is the derivative of
#     `x**3`, at 3 for instance?
"""Takes the slope of another power."""

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
ad.defjvp(cube_p, lambda t, x: 3 * x * t)
batching.defvectorized(cube_p)
