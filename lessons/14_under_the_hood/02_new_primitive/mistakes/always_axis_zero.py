# expects: check vmap-columns
# says: Your answer is right for a batch along axis 0 only. The rule is told where the batch lies,
#     and says where it lies in the result.
"""Says that the batch lies along axis 0, wherever it was."""

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
ad.defjvp(cube_p, lambda t, x: 3 * x * x * t)


def cube_batch(args, axes):
    (x,) = args
    return cube(x), 0


batching.primitive_batchers[cube_p] = cube_batch
