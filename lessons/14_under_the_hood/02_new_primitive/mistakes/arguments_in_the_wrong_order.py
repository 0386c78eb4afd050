# expects: check jvp
# says: Your rule takes the input for the change, and the change for the input. Which of the two does
#     `ad.defjvp` give first?
"""Takes the input first and the change second."""

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
ad.defjvp(cube_p, lambda x, t: 3 * x * x * t)
batching.defvectorized(cube_p)
