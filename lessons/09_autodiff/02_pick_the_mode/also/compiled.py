"""The choice inside a compiled function of its own."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=0)
def jacobian(f, x):
    (outputs,) = jax.eval_shape(f, x).shape
    mode = {True: jax.jacfwd, False: jax.jacrev}[len(x) <= outputs]
    return mode(f)(x)
