# expects: check jaxpr
# says: Your primitive cannot be traced: nothing says what type its result has.
"""Does not say what comes out, so nothing can be traced."""

from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

square_p = Primitive("my_square")


def square(x):
    return square_p.bind(x)


def compute(x):
    return x * x


square_p.def_impl(compute)
mlir.register_lowering(square_p, mlir.lower_fun(compute, multiple_results=False))
ad.defjvp(square_p, lambda t, x: 2 * x * t)
batching.defvectorized(square_p)
