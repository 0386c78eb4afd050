# expects: primitive-rule-missing at 12
"""Does not say what to compile it to."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching

cube_p = Primitive("my_cube")


def cube(x):
    return cube_p.bind(x)


def compute(x):
    return x * x * x


cube_p.def_impl(compute)
cube_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
ad.defjvp(cube_p, lambda t, x: 3 * x * x * t)
batching.defvectorized(cube_p)
