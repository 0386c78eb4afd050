# expects: check vmap
# says: Your primitive has no rule for a batch, so `jax.vmap` cannot handle it.
"""Has no rule for a batch."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, mlir

cube_p = Primitive("my_cube")


def cube(x):
    return cube_p.bind(x)


def compute(x):
    return x * x * x


cube_p.def_impl(compute)
cube_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(cube_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(cube_p, lambda t, x: 3 * x * x * t)
