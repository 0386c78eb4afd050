# expects: check jvp
# says: Your rule for derivatives returns one thing. It returns two, the value and the change; or
#     use the helper, which needs only the change.
"""Returns the change, and not the value that it belongs to."""

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


def cube_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return 3 * x * x * t


ad.primitive_jvps[cube_p] = cube_jvp
batching.defvectorized(cube_p)
