# expects: removed-api at 7
"""Looks for Primitive where it was."""

import jax
from jax.interpreters import ad, batching, mlir

cube_p = jax.core.Primitive("my_cube")


def cube(x):
    return cube_p.bind(x)


def compute(x):
    return x * x * x


cube_p.def_impl(compute)
cube_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
mlir.register_lowering(cube_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(cube_p, lambda t, x: 3 * x * x * t)
batching.defvectorized(cube_p)
