# expects: check jit
# says: Your primitive cannot be compiled: it has no translation for the compiler.
"""Does not say what to compile it to."""

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
square_p.def_abstract_eval(lambda x: jax.core.ShapedArray(x.shape, x.dtype))
ad.defjvp(square_p, lambda t, x: 2 * x * t)
batching.defvectorized(square_p)
